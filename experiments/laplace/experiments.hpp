// The figures and the table of Naqvi, Zhe, Qi, Yang & Ye, "Fast Laplace approximation for sparse Bayesian spike and
// slab models" (IJCAI 2016).
#pragma once

#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/method_benchmark.hpp"

namespace tamis::experiments::laplace {

inline const std::string paper = "Naqvi et al. (2016), Fast Laplace approximation for spike and slab, ";

Experiment figure1_regression();
Experiment figure1_classification();
Experiment figure1_uncertainty();
Experiment table1_synthetic();
Experiment table1();

}  // namespace tamis::experiments::laplace
