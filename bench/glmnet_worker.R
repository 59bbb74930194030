# glmnet as a worker of bench/run.py: one command per line on stdin, one line of JSON per answer.
#   load DIR FAMILY                 the problem that tamis_bench wrote into DIR
#   path TYPE PENALTIES COEFFICIENTS  100 penalties; TYPE is "default", "naive" or "covariance"; writes both as doubles
#   cv                              cv.glmnet with 10 folds and its final path
# Standardized columns and an intercept are glmnet's defaults, and ours.
suppressPackageStartupMessages({
  library(Matrix)
  library(glmnet)
})

read_doubles <- function(path) readBin(path, "double", file.size(path) / 8)
read_integers <- function(path) readBin(path, "integer", file.size(path) / 4)

load_problem <- function(dir, family) {
  shape <- scan(file.path(dir, "shape.txt"), quiet = TRUE)
  sparse <- file.exists(file.path(dir, "starts.bin"))
  X <- if (sparse) {
    new("dgCMatrix", p = read_integers(file.path(dir, "starts.bin")), i = read_integers(file.path(dir, "indices.bin")),
        x = read_doubles(file.path(dir, "values.bin")), Dim = as.integer(shape[1:2]))
  } else {
    matrix(read_doubles(file.path(dir, "X.bin")), shape[1], shape[2])
  }
  family <- if (family == "bernoulli") "binomial" else family
  list(X = X, y = read_doubles(file.path(dir, "y.bin")), family = family)
}

memory_kb <- function(field) {
  line <- grep(paste0("^", field), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

# Seconds on the clock and of processor, and how far the peak of resident memory rose above where it stood.
measured <- function(work) {
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs")  # resets the peak
  before <- memory_kb("VmRSS")
  time <- system.time(result <- work())
  list(result = result, seconds = time[["elapsed"]], processor = time[["user.self"]] + time[["sys.self"]], extra = 1024 * (memory_kb("VmHWM") - before))
}

answer <- function(...) {
  fields <- list(...)
  values <- vapply(fields, function(v) if (is.character(v)) sprintf('"%s"', v) else sprintf("%.9g", v), "")
  cat("{", paste(sprintf('"%s": %s', names(fields), values), collapse = ", "), "}\n", sep = "")
  flush(stdout())
}

run_path <- function(problem, type, penalty_file, coefficient_file) {
  arguments <- list(x = problem$X, y = problem$y, family = problem$family, nlambda = 100)
  if (type != "default") arguments$type.gaussian <- type
  m <- measured(function() do.call(glmnet, arguments))
  writeBin(as.double(m$result$lambda), penalty_file)
  writeBin(as.double(rbind(m$result$a0, as.matrix(m$result$beta))), coefficient_file)
  answer(seconds = m$seconds, processor = m$processor, extra = m$extra, penalties = length(m$result$lambda))
}

run_cv <- function(problem) {
  folds <- rep_len(1:10, length(problem$y))
  m <- measured(function() cv.glmnet(problem$X, problem$y, family = problem$family, foldid = folds))
  answer(seconds = m$seconds, processor = m$processor, extra = m$extra)
}

problem <- NULL
input <- file("stdin", open = "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  switch(words[1],
    load = {
      problem <- load_problem(words[2], words[3])
      answer(version = paste("glmnet", packageVersion("glmnet")))
    },
    path = run_path(problem, words[2], words[3], words[4]),
    cv = run_cv(problem),
    stop("unknown command: ", line)
  )
}
