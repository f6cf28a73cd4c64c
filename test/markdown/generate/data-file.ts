import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Writes `lib/markdown/data/<name>.ts`: one exported text, a line per record. */
export function writeDataFile(name: string, constant: string, comment: string, lines: readonly string[]): void {
  const text = lines.join('\n');
  if (/[`\\]|\$\{/.test(text)) throw new Error(`${name}: the text would need escaping`);
  const path = fileURLToPath(new URL(`../../../lib/markdown/data/${name}.ts`, import.meta.url));
  writeFileSync(path, `/** ${comment} */\nexport const ${constant} = \`\n${text}\n\`;\n`);
  console.log(`${name}: ${lines.length} lines, ${text.length} characters`);
}
