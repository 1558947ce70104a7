"""How one turn runs: state, context, nodes, wiring, the choice of model."""
