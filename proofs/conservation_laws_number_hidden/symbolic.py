r"""For all parameters: :math:`h_v` is conserved, and the laws are as many as there are hidden neurons.

The gradient of :math:`h_v=\|\mathrm{in}(v)\|^2+b_v^2-\|\mathrm{out}(v)\|^2` is orthogonal to the gradient of every
path product; the gradients of the :math:`h_v` have rank h over the field of rational functions, and together with the
range of :math:`D\Phi^T` they span everything.
"""

from sympy import Matrix

from exactrelu.theorems.symbols import SymbolicNetwork, generic_rank, shape


def claims():
    """Orthogonality path by path, and the two ranks."""
    for name, net in (("2-2-2", shape(2, 2, 2)), ("1-2-2-1", shape(1, 2, 2, 1)), ("1-2-1", shape(1, 2, 1))):
        theta = SymbolicNetwork.of(net)
        derivative = theta.jacobian()
        laws = Matrix(
            [
                [2 * value * ((v == neuron) - (u == neuron)) for (u, v), value in theta.values.items()]
                for neuron in net.hidden_neurons
            ]
        )
        for i, row in enumerate((laws * derivative.T).tolist()):
            for k, entry in enumerate(row):
                yield f"{name}: the law of neuron {net.hidden_neurons[i]} does not move along path {k}", entry, 0
        hidden = len(net.hidden_neurons)
        yield f"{name}: the laws are independent", generic_rank(laws), hidden
        yield (
            f"{name}: laws and path gradients span all directions",
            generic_rank(derivative.col_join(laws)),
            len(theta.symbols),
        )
