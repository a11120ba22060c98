#include "sim/cli/trace_args.h"
int trace_plot(const struct trace_args *args)
{
    return args->json;
}
