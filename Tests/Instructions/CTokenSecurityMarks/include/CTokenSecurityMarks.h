// Places that callgrind is told of by name: it counts from cost_begin to cost_end.
void cost_begin(void);
void cost_end(void);
