import type { JSX } from 'preact';

const WIDTH = 560;
const HEIGHT = 120;
/** Room for the days, also in the larger letters of narrow pages. */
const FOOT = 24;

/** Pairs of bars over days, and the same values as a table. */
export function BarChart({
  title,
  series: [first, second],
  rows,
}: {
  readonly title: string;
  /** Names of the two series: filled bars and hatched bars, so that color is not needed. */
  readonly series: readonly [string, string];
  readonly rows: readonly (readonly [string, number, number])[];
}): JSX.Element {
  const most = Math.max(1, ...rows.flatMap(([, a, b]) => [a, b]));
  const step = WIDTH / Math.max(1, rows.length);
  const bar = (value: number) => (value / most) * (HEIGHT - FOOT);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>{' '}
        <span class="meta">
          filled: {first}; framed: {second}; highest bar: {most.toLocaleString('en')}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {rows.map(([day, a, b], index) => (
          <g key={day}>
            <rect
              class="filled"
              x={index * step + 2}
              y={HEIGHT - FOOT - bar(a)}
              width={step * 0.4}
              height={bar(a)}
            />
            <rect
              class="framed"
              x={index * step + 2 + step * 0.45}
              y={HEIGHT - FOOT - bar(b)}
              width={step * 0.4}
              height={bar(b)}
            />
            {index % 3 === 0 && (
              <text x={index * step + 2} y={HEIGHT - 4}>
                {day.slice(5)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{title} as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                {first}
              </th>
              <th scope="col" class="number">
                {second}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([day, a, b]) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td class="number">{a}</td>
                <td class="number">{b}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
