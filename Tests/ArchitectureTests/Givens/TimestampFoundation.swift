import Foundation

var date: Date { given() }
