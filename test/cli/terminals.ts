import { styleText } from 'node:util';
import type { Terminal } from '../../cli/output/terminal.ts';

/** Outputs of tests: `columns` wide, or of unlimited width. */
export function terminal(columns?: number, options: { colours: boolean } = { colours: false }): Terminal {
  const style: Terminal['style'] = (style, text) =>
    options.colours && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return {
    out: () => undefined,
    err: () => undefined,
    isTerminal: columns !== undefined,
    errIsTerminal: false,
    isColoured: options.colours,
    columns,
    style,
    errStyle: style,
  };
}
