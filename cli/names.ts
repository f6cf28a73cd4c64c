import type { Command } from 'commander';

/** `scheduledMessages` and `scheduled_messages` become `scheduled-messages`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
}

/** The command of an operation: `scheduledMessages.create` becomes `['scheduled-messages', 'create']`. */
export function commandPath(operationName: string): string[] {
  return operationName.split('.').map(kebab);
}

/** The command below another that answers to a name. */
export function childNamed(parent: Command, name: string): Command | undefined {
  return parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
}

/** What is typed for a command; one that is asked about stands below `why`, with all its words in its name. */
export function wordsOf(command: Command): string[] {
  const words: string[] = [];
  for (let at = command; at.parent; at = at.parent) if (at.name() !== 'why') words.unshift(at.name());
  return words;
}
