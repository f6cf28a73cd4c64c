import type { Command } from 'commander';
import { UsageError } from './failure.ts';

/** Options whose empty text means something: the topic without a name, and the root of a server. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['topic', 'message', 'prefix', 'jsonFields']);

/**
 * What a variable that nobody has set leaves on the line must not pass for an option that was left out. Those that
 * stand for a parameter of an operation are lists here, and checked with its type.
 * @throws UsageError naming what is empty
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

const isEmpty = (what: string) => new UsageError(`${what} is empty.`, 'Is a variable of the shell not set?');
