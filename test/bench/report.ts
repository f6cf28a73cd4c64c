import type { Finding } from './benchmark.ts';
import { median } from './rounds.ts';

export interface Verdict {
  /** The value that the bound limits: a ratio, unless `absolute`. */
  ratio: number;
  min: number;
  max: number;
  bound: number | null;
  ok: boolean;
  subject: number;
  floor: number;
  unit: string;
  /** Microseconds per request. */
  cpu?: { subject: number; floor: number; ratio: number };
  /** The bound limits the subject itself, in its unit. */
  absolute?: true;
  note: string;
}

export function verdictOf(finding: Finding): Verdict {
  const { bound, subject, floor, unit, note } = finding;
  const figures = finding.absolute ?? finding.ratios;
  const ratio = median(figures);
  let limit: number | null = null;
  let ok = true;
  if (bound && 'atLeast' in bound) {
    limit = bound.atLeast;
    ok = ratio >= limit;
  } else if (bound) {
    limit = bound.atMost;
    ok = ratio <= limit;
  }
  return {
    ratio: rounded(ratio),
    min: rounded(Math.min(...figures)),
    max: rounded(Math.max(...figures)),
    bound: limit,
    ok,
    subject: rounded(subject),
    floor: rounded(floor),
    unit,
    ...(finding.cpu ? { cpu: cpuOf(finding.cpu) } : {}),
    ...(finding.absolute ? { absolute: true as const } : {}),
    note,
  };
}

const HEADINGS = ['benchmark', 'ratio', 'min-max', 'bound', '', 'measured', 'floor', 'unit'];

export function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const verdict = verdictOf(finding);
    const sign = finding.bound && ('atLeast' in finding.bound ? '>=' : '<=');
    return [
      finding.name,
      `${verdict.ratio}${verdict.absolute ? ` ${verdict.unit}` : ''}`,
      `${verdict.min}-${verdict.max}`,
      verdict.bound === null ? '' : `${sign} ${verdict.bound}`,
      verdict.bound === null ? '' : verdict.ok ? 'ok' : 'MISSED',
      String(verdict.subject),
      String(verdict.floor),
      verdict.unit,
    ];
  });
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => (row[at] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd();
  const notes = findings.map(({ name, note }) => `${name}: ${note}`);
  return [line(HEADINGS), ...rows.map(line), '', ...notes].join('\n');
}

function cpuOf({ subject, floor }: { subject: number; floor: number }): Verdict['cpu'] {
  return { subject: rounded(subject), floor: rounded(floor), ratio: rounded(floor / subject) };
}

/** Three digits are enough. */
function rounded(number: number): number {
  return number >= 1_000 ? Math.round(number) : Number(number.toPrecision(3));
}
