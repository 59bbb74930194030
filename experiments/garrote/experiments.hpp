// The tables and figures of Kappen & Gomez, "The variational garrote", Machine Learning 96 (2014). The paper writes p
// for samples and n for features; the words of these experiments do so only where they quote it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/method_benchmark.hpp"

namespace tamis::experiments::garrote {

inline const std::string paper = "Kappen & Gomez (2014), The variational garrote, ";

Experiment table1();
Experiment table2();
Experiment table3();
Experiment table4();
Experiment figure1();
Experiment figure2();
Experiment figure3();
Experiment figure4();
Experiment figure5();
Experiment figure6();
Experiment figure7();
Experiment figure8();
Experiment figures9_and_10();
Experiment figure11();
Experiment figure12();
Experiment compressed_sensing();

/// The methods as section 5 uses them: ridge and lasso fit the training rows and take the penalty of least validation
/// error, vg likewise its gamma; pmf gets both sets as one.
Contender ridge();
Contender lasso();
Contender variational_garrote();
Contender dual_variational_garrote();
Contender paired_mean_field();
Contender annealed_paired_mean_field();

/// The curve of a method in its own color, the same in all figures.
Series method_curve(const Results& results, std::string_view panel, std::string_view method, std::string_view measure,
                    Shown shown = Shown::mean);
/// A panel with the curves of these methods.
Panel method_panel(const Results& results, std::string_view panel, std::span<const std::string> methods,
                   std::string_view measure, Shown shown = Shown::mean);

}  // namespace tamis::experiments::garrote
