import type { Command } from 'commander';
import { UsageError } from './failure.ts';

/** Options that may be empty, such as `--topic ''` (no topic) and `--prefix ''` (root of the server). */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['topic', 'message', 'prefix', 'jsonFields']);

/**
 * Refuses empty arguments: an unset shell variable must not count as a missing option.
 * Options of operation parameters are arrays here; their parsers check them.
 * @throws UsageError naming the empty argument
 */
export function checkNothingEmpty(command: Command): void {
  for (let at: Command | null = command; at; at = at.parent) {
    for (const option of at.options) {
      const name = option.attributeName();
      if (at.getOptionValue(name) === '' && !MAY_BE_EMPTY.has(name)) throw isEmpty(option.long ?? name);
    }
  }
  for (const [index, argument] of command.registeredArguments.entries()) {
    if (command.processedArgs[index] === '') throw isEmpty(argument.name().toUpperCase());
  }
}

const isEmpty = (what: string) => new UsageError(`${what} is empty.`, 'Check that all shell variables are set.');
