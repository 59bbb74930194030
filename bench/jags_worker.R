# JAGS as a worker of bench/run.py: one command per line on stdin, one line of JSON per answer.
#   load DIR                      the problem that tamis_bench wrote into DIR
#   sample SWEEPS OUT             one chain of spike-and-slab regression with fixed hyperparameters; writes the
#                                 coefficients as doubles, draw by draw
suppressPackageStartupMessages(library(rjags))

read_doubles <- function(path) readBin(path, "double", file.size(path) / 8)

spike_and_slab <- "model {
  for (i in 1:n) { y[i] ~ dnorm(inprod(X[i, ], b[]), 1 / noise_variance) }
  for (j in 1:p) {
    z[j] ~ dbern(prior_inclusion)
    weight[j] ~ dnorm(0, 1 / slab_variance)
    b[j] <- z[j] * weight[j]
  }
}"

answer <- function(...) {
  fields <- list(...)
  values <- vapply(fields, function(v) if (is.character(v)) sprintf('"%s"', v) else sprintf("%.9g", v), "")
  cat("{", paste(sprintf('"%s": %s', names(fields), values), collapse = ", "), "}\n", sep = "")
  flush(stdout())
}

load_problem <- function(dir) {
  shape <- scan(file.path(dir, "shape.txt"), quiet = TRUE)
  data <- list(X = matrix(read_doubles(file.path(dir, "X.bin")), shape[1], shape[2]), y = read_doubles(file.path(dir, "y.bin")),
               n = shape[1], p = shape[2], noise_variance = 1, slab_variance = 1, prior_inclusion = 0.2)
  model <- jags.model(textConnection(spike_and_slab), data, inits = list(.RNG.name = "base::Mersenne-Twister", .RNG.seed = 1),
                      n.chains = 1, n.adapt = 500, quiet = TRUE)
  update(model, 500, progress.bar = "none")
  model
}

sample_chain <- function(model, sweeps, out) {
  time <- system.time(draws <- jags.samples(model, "b", sweeps, progress.bar = "none"))
  writeBin(as.double(draws$b), out)  # axes feature, draw, chain: draw by draw
  answer(seconds = time[["elapsed"]], processor = time[["user.self"]] + time[["sys.self"]])
}

model <- NULL
input <- file("stdin", open = "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  switch(words[1],
    load = {
      model <- load_problem(words[2])
      answer(version = paste("JAGS", jags.version()))
    },
    sample = sample_chain(model, as.integer(words[2]), words[3]),
    stop("unknown command: ", line)
  )
}
