r"""For all parameters: what equal path products say about the quotients :math:`\lambda_v`.

The step of the proof. Let :math:`a_v,a_v'` be the products along an in-path of :math:`v` and :math:`q_v,q_v'`
those along an out-path, :math:`\lambda_v=a_v/a_v'`. Equal products :math:`a_vq_v=a_v'q_v'` and
:math:`a_uw_{uv}q_v=a_u'w_{uv}'q_v'` give :math:`w_{uv}'=(\lambda_u/\lambda_v)w_{uv}`.
"""

from sympy import Symbol, solve, symbols

from exactrelu.theorems.symbols import SymbolicNetwork, shape


def claims():
    """The step for an edge and a bias, and all of it on 1-1-1-1."""
    a_u, a_u_other, a_v, a_v_other, q, w, b = symbols("a_u a_u' a_v a_v' q w b", nonzero=True)
    q_other = a_v * q / a_v_other
    lambda_u, lambda_v = a_u / a_u_other, a_v / a_v_other
    yield "an edge: w' is lambda_u/lambda_v times w", a_u * w * q / (a_u_other * q_other), lambda_u / lambda_v * w
    yield "a bias: b' is b/lambda_v", b * q / q_other, b / lambda_v
    net = shape(1, 1, 1, 1)
    theta, other = SymbolicNetwork.of(net), SymbolicNetwork.of(net, "prime")
    free = [other[(0, 0), (1, 0)], other[(1, 0), (2, 0)]]
    dependent = [value for value in other.symbols if value not in free]
    before, after = theta.embedding(), other.embedding()
    (found,) = solve([after[path] - before[path] for path in before], dependent, dict=True)
    first = free[0] / theta[(0, 0), (1, 0)]
    second = free[1] * first / theta[(1, 0), (2, 0)]
    scaled = theta.rescaled({(1, 0): first, (2, 0): second})
    for step, value in other.values.items():
        label = f"1-1-1-1, equal embeddings: the parameter {Symbol(str(value))} is that of a rescaling"
        yield label, found.get(value, value), scaled[step]
