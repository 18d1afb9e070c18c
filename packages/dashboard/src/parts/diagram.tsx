/** Draws a state machine, with the current state of a record or with the count of each move. */
import dagre from '@dagrejs/dagre'
import { useMemo } from 'preact/hooks'
import type { Schema } from '@suite-sim/client/calling'

type Machine = Schema<'StateMachine'>

export interface DiagramProps {
  readonly machine: Machine
  /** The state to highlight. */
  readonly state?: string | null
  /** How often each move was made, by `name from to`. Without it, all moves look the same. */
  readonly counts?: ReadonlyMap<string, number>
  /** Called with the state that was clicked. */
  readonly onState: (state: string) => void
}

export const moveKey = (move: string, from: string, to: string): string => `${move} ${from} ${to}`

const START = '\u25CF'
/** The width of a character, in px. */
const CHARACTER = 7.2
/** The height of a state, in px. */
const NODE = 30

export function Diagram({ machine, state, counts, onState }: DiagramProps) {
  const { width, height, nodes, edges } = useMemo(() => layOut(machine), [machine])
  return (
    <div class="diagram" tabIndex={0} role="group" aria-label={`Diagram of ${machine.title}`}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        role="group"
        aria-label={describe(machine, state)}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {edges.map((edge) => {
          const made = edge.moves.map(({ name }) => counts?.get(moveKey(name, edge.from, edge.to)) ?? 0)
          const isUnmade = counts !== undefined && edge.moves.length > 0 && made.every((count) => count === 0)
          return (
            <g key={`${edge.from} ${edge.to}`} class={isUnmade ? 'edge unmade' : 'edge'}>
              <path d={edge.path} marker-end="url(#arrow)" />
              {edge.moves.map(({ name }, index) => (
                <text
                  key={name}
                  x={edge.x}
                  y={edge.y + index * 14}
                  class={counts !== undefined && made[index] === 0 ? 'unmade' : ''}
                >
                  {name}
                  {counts !== undefined && made[index] ? ` \u00D7${String(made[index])}` : ''}
                </text>
              ))}
            </g>
          )
        })}
        {nodes.map(({ name, x, y, width: nodeWidth, height: nodeHeight }) =>
          name === START ? (
            <circle key={name} class="start" cx={x} cy={y} r={6} />
          ) : (
            <g
              key={name}
              class={name === state ? 'node present' : 'node'}
              role="button"
              // In SVG, the case of attributes matters.
              tabindex={0}
              aria-label={`${name}: put a new record into this state`}
              onClick={() => {
                onState(name)
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return
                event.preventDefault()
                onState(name)
              }}
            >
              <rect
                x={x - nodeWidth / 2}
                y={y - nodeHeight / 2}
                width={nodeWidth}
                height={nodeHeight}
                rx={6}
              />
              <text x={x} y={y + 4}>
                {name}
              </text>
            </g>
          ),
        )}
      </svg>
    </div>
  )
}

const describe = ({ states, moves }: Machine, state: string | null | undefined): string =>
  [
    `States: ${states.join(', ')}.`,
    ...moves.map(({ name, from, to }) => `${name}: ${from.join(' or ')} to ${to}.`),
    ...(state ? [`Current state: ${state}.`] : []),
  ].join(' ')

interface Edge {
  readonly from: string
  readonly to: string
  readonly moves: readonly { readonly name: string }[]
}

/** Returns the edges. Moves between the same states share one edge. */
function edgesOf({ moves, initial }: Machine): Edge[] {
  const edges = new Map<string, { from: string; to: string; moves: { name: string }[] }>()
  for (const to of initial) edges.set(`${START} ${to}`, { from: START, to, moves: [] })
  for (const { name, from, to } of moves) {
    for (const state of from) {
      const key = `${state} ${to}`
      const edge = edges.get(key) ?? { from: state, to, moves: [] }
      edge.moves.push({ name })
      edges.set(key, edge)
    }
  }
  return [...edges.values()]
}

function layOut(machine: Machine) {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 26, ranksep: 34, edgesep: 14, marginx: 8, marginy: 12 })
  graph.setNode(START, { width: 12, height: 12 })
  const edges = edgesOf(machine)
  const loops = edges.filter(({ from, to }) => from === to)
  for (const state of machine.states) {
    const loop = loops.find(({ from }) => from === state)
    const longest = Math.max(0, ...(loop?.moves.map(({ name }) => name.length) ?? []))
    graph.setNode(state, {
      width: Math.max(state.length * CHARACTER + 24, longest * CHARACTER),
      height: NODE + (loop ? 2 * loopHeight(loop) : 0),
    })
  }
  for (const { from, to, moves } of edges.filter((edge) => !loops.includes(edge))) {
    const longest = Math.max(0, ...moves.map(({ name }) => name.length + 4))
    graph.setEdge(from, to, { width: longest * (CHARACTER - 1), height: moves.length * 14, labelpos: 'c' })
  }
  dagre.layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: graph.nodes().map((name) => {
      const { x, y } = graph.node(name) as { x: number; y: number }
      return { name, x, y, width: name.length * CHARACTER + 24, height: NODE }
    }),
    edges: edges.map((edge) => {
      if (edge.from === edge.to)
        return { ...edge, ...loopAt(graph.node(edge.from) as { x: number; y: number }, edge) }
      const layout = graph.edge(edge.from, edge.to) as {
        points: { x: number; y: number }[]
        x?: number
        y?: number
      }
      return {
        ...edge,
        path: pathOf(layout.points),
        x: layout.x ?? 0,
        y: (layout.y ?? 0) + 4 - ((edge.moves.length - 1) * 14) / 2,
      }
    }),
  }
}

/** Returns the space that a loop needs above its state. */
const loopHeight = ({ moves }: Edge): number => 20 + moves.length * 14

const loopAt = ({ x, y }: { x: number; y: number }, edge: Edge) => {
  const top = y - NODE / 2
  return {
    path: `M${at({ x: x - 12, y: top })}C${at({ x: x - 20, y: top - 26 })} ${at({ x: x + 20, y: top - 26 })} ${at({ x: x + 12, y: top })}`,
    x,
    y: top - 10 - edge.moves.length * 14 + 4,
  }
}

const at = ({ x, y }: { x: number; y: number }): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** Returns a smooth path through the midpoints of the points. */
function pathOf(points: readonly { x: number; y: number }[]): string {
  const [first, ...others] = points
  if (!first) return ''
  const parts = [`M${at(first)}`]
  others.forEach((point, index) => {
    const next = others[index + 1]
    if (!next) parts.push(`L${at(point)}`)
    else parts.push(`Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`)
  })
  return parts.join('')
}
