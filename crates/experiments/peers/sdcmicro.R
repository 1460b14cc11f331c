# A published table that sdcMicro makes of a data set of the league.
#
# usage: Rscript sdcmicro.R suppression|mdav FOLDER OUT.csv K L PERCENT SECONDS BYTES
#
# FOLDER holds table.csv and columns.csv (name;role;kind). `suppression` replaces cells by missing values until k is kept as sdcMicro counts
# it; they are published as *. `mdav` publishes means. Prints the user CPU seconds of the call. L and PERCENT are not used: sdcMicro's
# functions here know k alone and suppress cells, not records.

given <- commandArgs(trailingOnly = TRUE)
entrant <- given[1]
folder <- given[2]
out <- given[3]
k <- as.integer(given[4])
seconds <- as.numeric(given[7])

columns <- read.csv(file.path(folder, "columns.csv"), sep = ";", colClasses = "character")
texts <- read.csv(file.path(folder, "table.csv"), colClasses = "character", check.names = FALSE, na.strings = character(0))
quasi <- columns$name[columns$role == "quasi"]

suppressPackageStartupMessages(library(sdcMicro))
set.seed(1)
if (entrant == "suppression") {
  frame <- texts
  frame[quasi] <- lapply(frame[quasi], factor)
} else {
  frame <- texts
  frame[quasi] <- lapply(frame[quasi], as.numeric)
}

began <- proc.time()[["user.self"]]
setTimeLimit(cpu = began + seconds)
if (entrant == "suppression") {
  found <- localSuppression(frame, k = k, keyVars = match(quasi, names(frame)))$xAnon
} else if (entrant == "mdav") {
  found <- microaggregation(frame, variables = quasi, aggr = k, method = "mdav")$mx
} else {
  stop("unknown entrant ", entrant)
}
spent <- proc.time()[["user.self"]] - began
setTimeLimit()

for (name in quasi) {
  cells <- found[[name]]
  texts[[name]] <- if (entrant == "suppression") {
    ifelse(is.na(cells), "*", as.character(cells))
  } else {
    format(as.numeric(cells), digits = 15, trim = TRUE, scientific = FALSE)
  }
}
write.csv(texts, out, row.names = FALSE, quote = TRUE)
cat(spent, "\n", sep = "")
