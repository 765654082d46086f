"""The laboratory: arena, simulations, benchmarks, environments, the engine protocol."""
