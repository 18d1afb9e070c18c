module suitesimulator.dev/suitesim

go 1.19
