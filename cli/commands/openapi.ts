import { Command } from 'commander';
import type { Terminal } from '../output/terminal.ts';

export function openApiCommand(terminal: Terminal): Command {
  return new Command('openapi').description('Print the OpenAPI 3.1 description of the HTTP API').action(async () => {
    const { openApiDocument } = await import('../../lib/index.ts');
    terminal.out(JSON.stringify(openApiDocument(), null, 2));
  });
}
