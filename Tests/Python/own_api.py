"""The examples of an API of your own, each with a route for any path that says what it was verified as, behind their servers.

    python own_api.py FRAMEWORK DESCRIPTOR        the descriptor of a socket that listens
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples/own-api"))


def with_fastapi():
    import typing

    import fastapi
    import fastapi_app

    @fastapi_app.app.api_route("/{path:path}", methods=["GET", "POST"])
    async def anything(request: typing.Annotated[fastapi_app.Signed, fastapi.Depends(fastapi_app.signed)]):
        return {"identity": request.session.identity_id, "size": len(request.body)}

    return fastapi_app.app


def with_flask():
    import flask
    import flask_app

    # Else the router redirects before the request is verified.
    flask_app.app.url_map.merge_slashes = False

    @flask_app.app.route("/", defaults={"path": ""}, methods=["GET", "POST"])
    @flask_app.app.route("/<path:path>", methods=["GET", "POST"])
    @flask_app.signed
    def anything(path):
        return {"identity": flask.g.session.identity_id, "size": len(flask.request.get_data())}

    return flask_app.app


if __name__ == "__main__":
    framework, descriptor = sys.argv[1:]
    if framework == "uvicorn":
        import uvicorn

        uvicorn.run(with_fastapi(), fd=int(descriptor), log_level="warning")
    else:
        from werkzeug.serving import make_server

        make_server("127.0.0.1", 0, with_flask(), threaded=True, fd=int(descriptor)).serve_forever()
