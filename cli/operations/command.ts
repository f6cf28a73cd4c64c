import { Command, Option } from 'commander';
import type { GenericSchema } from 'valibot';
import type { Operation } from '../../lib/operation.ts';
import { narrowOptions } from '../arguments/combined.ts';
import type { Field } from '../arguments/parsers.ts';
import { shapeOf } from '../arguments/shape.ts';
import { helpEnd } from '../commands/operation-help.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions, GLOBAL_FLAGS } from '../global-options.ts';
import { kebab } from '../names.ts';
import { descriptionOf, metavar } from './help.ts';
import { READINGS, WORDS, type Words } from './metadata.ts';

/** What a person gave, by parameter. */
export type Given = Map<string, boolean | readonly string[]>;

export type Run = (
  operation: Operation,
  fields: readonly Field[],
  words: Words,
  given: Given,
  command: Command,
) => Promise<void>;

/** A command that also understands `--announce=false` for its yes-or-no options. */
class OperationCommand extends Command {
  override parseOptions(args: string[]) {
    const end = args.indexOf('--');
    return super.parseOptions(
      args.map((arg, index) => {
        const spelled = end >= 0 && index > end ? null : /^--([a-z0-9-]+)=(.*)$/s.exec(arg);
        const option = spelled && this.options.find(({ long }) => long === `--${spelled[1]}`);
        if (!spelled || !option?.isBoolean()) return arg;
        if (!/^(true|false)$/.test(spelled[2] as string)) throw new UsageError(`${option.long} must be true or false.`);
        return spelled[2] === 'true' ? `--${spelled[1]}` : `--no-${spelled[1]}`;
      }),
    );
  }
}

/** The command of one operation: every parameter an option, some also by position. */
export function operationCommand(operation: Operation, name: string, run: Run): Command {
  const words = WORDS[operation.name] ?? {};
  const fields = fieldsOf(operation, words);
  const command = new OperationCommand(name).aliases(words.aliases ?? []).summary(operation.summary);
  command.description(
    operation.description ? `${operation.summary}.\n\n${operation.description}` : `${operation.summary}.`,
  );
  command.usage(usage(fields, words));
  const readers: ((given: Given) => void)[] = [];
  for (const { field, label } of positionalOf(fields, words)) {
    command.argument(field.shape.kind === 'list' ? `[${label}...]` : `[${label}]`, descriptionOf(field));
  }
  for (const field of fields) readers.push(addOption(command, field, words));
  if (words.narrows) for (const option of narrowOptions()) command.addOption(option);
  if (fields.some((field) => field.name === 'password')) {
    command.addOption(
      new Option('--password-stdin', 'read the password from the first line of stdin').helpGroup('Parameters:'),
    );
  }
  if (words.confirms) command.addOption(new Option('-y, --yes', 'do not ask first').helpGroup('Parameters:'));
  addGlobalOptions(command);
  command.addHelpText('after', () => helpEnd(operation, words));
  command.action(async () => {
    const given: Given = new Map();
    for (const [index, { field }] of positionalOf(fields, words).entries()) {
      const value = command.processedArgs[index] as string | string[] | undefined;
      if (value !== undefined && value.length > 0) given.set(field.name, typeof value === 'string' ? [value] : value);
    }
    for (const read of readers) read(given);
    await run(operation, fields, words, given, command);
  });
  return command;
}

export function fieldsOf(operation: Operation, words: Words): Field[] {
  return Object.entries(operation.params.entries as Record<string, GenericSchema>).map(([name, schema]) => {
    const long = kebab(name);
    const shape = shapeOf(schema);
    const preset = words.preset?.[name];
    const isMeant = preset !== undefined || (words.recipients !== undefined && name === 'type');
    return {
      name,
      // A parameter named like an option of every command gives way.
      flag: GLOBAL_FLAGS.has(long) ? `--the-${long}` : `--${long}`,
      schema,
      shape: isMeant ? { ...shape, isOptional: true, fallback: preset } : shape,
      reading:
        (words.recipients && name === 'to' ? 'recipients' : words.readings?.[name]) ??
        READINGS[name] ??
        permissionReading(name, shape.type),
    };
  });
}

function positionalOf(fields: readonly Field[], words: Words): { field: Field; label: string }[] {
  return (words.positional ?? []).flatMap(({ parameter, label }) => {
    const field = fields.find(({ name }) => name === parameter);
    return field ? { field, label } : [];
  });
}

/** Positional parameters may be given as options too, so to commander none is required; to people they are. */
function usage(fields: readonly Field[], words: Words): string {
  const labels = positionalOf(fields, words).map(({ field, label }) => {
    const shown = field.shape.kind === 'list' ? `${label}...` : label;
    return field.shape.isOptional ? `[${shown}]` : `<${shown}>`;
  });
  return [...labels, '[options]'].join(' ');
}

/** `can_send_message_group` and its like. */
function permissionReading(name: string, type: string): Field['reading'] {
  if (!/^(can_.+_groups?|direct_message_.+_group|create_multiuse_invite_group)$/.test(name)) return undefined;
  return type.startsWith('JSON') ? 'permission change' : 'permission';
}

/** Declares the option and returns how it is read back. */
function addOption(command: Command, field: Field, words: Words): (given: Given) => void {
  const isPositional = words.positional?.some(({ parameter }) => parameter === field.name) ?? false;
  const group = 'Parameters:';
  const keys: string[] = [];
  const add = (option: Option) => {
    command.addOption(option.helpGroup(group));
    keys.push(option.attributeName());
  };
  if (field.shape.kind === 'boolean') {
    const hidden = new Option(field.flag.replace('--', '--no-')).hideHelp();
    add(new Option(field.flag, descriptionOf(field)).hideHelp(isPositional));
    command.addOption(hidden);
  } else {
    const collect = (text: string, earlier: string[] | undefined) => [...(earlier ?? []), text];
    const alias = words.flags?.[field.name];
    add(
      new Option(`${field.flag} <${metavar(field)}>`, descriptionOf(field))
        .argParser(collect)
        .hideHelp(isPositional || !!alias),
    );
    if (alias) add(new Option(alias, descriptionOf(field, words.fromStdin === field.name)).argParser(collect));
  }
  return (given) => {
    for (const key of keys) {
      const value = command.opts()[key] as boolean | string[] | undefined;
      if (value !== undefined) given.set(field.name, value);
    }
  };
}
