import type { Command } from 'commander';

/** `scheduledMessages` and `scheduled_messages` become `scheduled-messages`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
}

/** The command of an operation: `scheduledMessages.create` becomes `['scheduled-messages', 'create']`. */
export function commandPath(operationName: string): string[] {
  return operationName.split('.').map(kebab);
}

/** The subcommand with this name or alias. */
export function childNamed(parent: Command, name: string): Command | undefined {
  return parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
}

/** The words that you type for a command, without `why`. */
export function wordsOf(command: Command): string[] {
  const words: string[] = [];
  for (let at = command; at.parent; at = at.parent) if (at.name() !== 'why') words.unshift(at.name());
  return words;
}
