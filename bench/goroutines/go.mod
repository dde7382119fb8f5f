module kasuri/bench/goroutines

go 1.21
