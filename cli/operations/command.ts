import { Command, Option } from 'commander';
import type { GenericSchema } from 'valibot';
import { mayBeTried, type Operation } from '../../lib/internal.ts';
import { narrowOptions, zoneOption } from '../arguments/combined.ts';
import { draftOptions } from '../arguments/draft.ts';
import { type Field, type Parser, parserFor, type RawValues } from '../arguments/parsers.ts';
import { shapeOf } from '../arguments/shape.ts';
import { letAsk } from '../confirmation.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions, GLOBAL_FLAGS, letChooseFields } from '../global-options.ts';
import { kebab, wordsOf } from '../names.ts';
import { exampleFields } from '../output/json.ts';
import { exampleLine } from './example.ts';
import { descriptionOf, helpFooter, placeholder } from './help.ts';
import type { CommandMetadata } from './metadata.ts';

const GROUP = 'Parameters:';

/** What runs an operation with what was given on the command line. */
export type Run = (
  operation: Operation,
  fields: readonly Field[],
  metadata: CommandMetadata,
  given: RawValues,
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
        if (!/^(true|false|yes|no)$/.test(spelled[2] as string)) {
          throw new UsageError(`${option.long} must be yes or no.`);
        }
        return /^(true|yes)$/.test(spelled[2] as string) ? `--${spelled[1]}` : `--no-${spelled[1]}`;
      }),
    );
  }
}

/** What the options and arguments of commands stand for. */
const meanings = new WeakMap<Command, { options: ReadonlyMap<string, Field>; args: readonly Field[] }>();

/** What an option of the command stands for, or the argument at a position; the last one may take the rest. */
export function fieldAt(command: Command, at: string | number): Field | undefined {
  const meaning = meanings.get(command);
  if (typeof at === 'string') return meaning?.options.get(at);
  const last = meaning?.args.at(-1);
  return meaning?.args[at] ?? (last?.shape.kind === 'list' ? last : undefined);
}

/** The command of one operation: every parameter an option, some also by position. */
export function operationCommand(operation: Operation, name: string, metadata: CommandMetadata, run: Run): Command {
  const fields = fieldsOf(operation, metadata);
  const args = argumentsOf(fields, metadata);
  const command = new OperationCommand(name).aliases(metadata.aliases ?? []).summary(operation.summary);
  command.description(
    operation.description ? `${operation.summary}.\n\n${operation.description}` : `${operation.summary}.`,
  );
  command.usage(usage(args));
  for (const { field, label } of args) {
    command.argument(field.shape.kind === 'list' ? `[${label}...]` : `[${label}]`, descriptionOf(field));
  }
  const readers = fields.map((field) => {
    const isArgument = args.some((arg) => arg.field === field);
    return addOption(command, field, isArgument, metadata);
  });
  if (metadata.narrowOptions) for (const option of narrowOptions()) command.addOption(option.helpGroup(GROUP));
  if (metadata.draft) for (const option of draftOptions()) command.addOption(option.helpGroup(GROUP));
  if (metadata.moment) command.addOption(zoneOption().helpGroup(GROUP));
  for (const [flags, description] of metadata.filters?.options ?? []) {
    command.addOption(new Option(flags, description).helpGroup('Filters:'));
  }
  for (const [flags, description] of metadata.perform?.options ?? []) {
    command.addOption(new Option(flags, description).helpGroup(GROUP));
  }
  if (fields.some(isPassword)) {
    command.addOption(
      new Option('--password-stdin', 'read the password from the first line of stdin').helpGroup(GROUP),
    );
  }
  if (mayBeTried(operation)) {
    command.addOption(
      new Option('--dry-run', 'change nothing: show the answer and what would be sent').helpGroup(GROUP),
    );
  }
  if (metadata.confirm) letAsk(command, GROUP);
  meanings.set(command, {
    options: new Map(
      fields.flatMap((field) =>
        [field.flag, metadata.flags?.[field.name], metadata.files?.[field.name]?.[0]].flatMap((flag) =>
          (flag?.match(/--[a-z-]+/g) ?? []).map((long) => [long, field] as const),
        ),
      ),
    ),
    args: args.map(({ field }) => field),
  });
  letChooseFields(addGlobalOptions(command), () => exampleFields(operation.result, metadata.columns));
  command.addHelpText('after', () => {
    const examples = metadata.examples ?? [
      exampleLine(
        operation,
        fields,
        metadata,
        wordsOf(command),
        args.map(({ field }) => field),
      ),
    ];
    return helpFooter(operation, metadata, examples, command.configureOutput().getOutHelpWidth?.());
  });
  command.action(async () => {
    const given: RawValues = new Map();
    for (const [index, { field, label }] of args.entries()) {
      const value = command.processedArgs[index] as string | string[] | undefined;
      if (value === undefined || (typeof value !== 'string' && value.length === 0)) continue;
      if (value === '') throw new UsageError(`${label} is empty.`, 'Is a variable of the shell not set?');
      const texts = typeof value === 'string' ? [value] : value;
      given.set(field.name, isListOfNames(field) ? texts.map(wholeName) : texts);
    }
    for (const read of readers) read(given);
    await run(operation, fields, metadata, given, command);
  });
  return command;
}

/** Names may have commas in them, and arguments are apart already. */
const isListOfNames = ({ shape, parser }: Field) =>
  shape.kind === 'list' &&
  (parser === undefined ? shape.type === 'list of texts' : /^(named objects|channels|groups)$/.test(parser));
const wholeName = (text: string) => (/^\s*(?:[[{]|$)/.test(text) ? text : JSON.stringify([text.trim()]));

/** What is better read from stdin or typed unseen. */
export const isPassword = ({ name }: Field) => name === 'password' || name === 'new_password';

export function fieldsOf(operation: Operation, metadata: CommandMetadata): Field[] {
  const entries = Object.entries(operation.params.entries as Record<string, GenericSchema>);
  const { without = [], only } = metadata;
  const offered = entries.filter(([name]) => !without.includes(name) && (only?.includes(name) ?? true));
  return offered.map(([name, schema]) => {
    const long = kebab(name);
    const isRequired = metadata.required?.includes(name) === true;
    const bare = isTypedAsList(metadata.parsers?.[name])
      ? { ...shapeOf(schema), kind: 'list' as const }
      : shapeOf(schema);
    const shape = isRequired ? { ...bare, isOptional: false, fallback: undefined } : bare;
    const fallback = metadata.defaults?.[name];
    const isKept = metadata.kept?.parameters.includes(name) === true;
    const isImplied = fallback !== undefined || isKept || (metadata.recipients !== undefined && name === 'type');
    return {
      name,
      // A parameter named like an option of every command gives way.
      flag: GLOBAL_FLAGS.has(long) ? `--the-${long}` : `--${long}`,
      schema,
      shape: isImplied ? { ...shape, isOptional: true, fallback } : shape,
      parser: combinedParser(metadata, name) ?? metadata.parsers?.[name] ?? parserFor(name, shape.type),
    };
  });
}

/** Several are typed where the operation takes one value. */
const isTypedAsList = (parser: Parser | undefined) =>
  parser === 'addresses' || parser === 'files' || parser === 'texts by key';

/** The parser of a parameter that is parsed together with other options. */
function combinedParser({ recipients, moment }: CommandMetadata, name: string): Parser | undefined {
  if (recipients && name === 'to') return 'recipients';
  return moment === name ? 'moment' : undefined;
}

/** The parameters that are given by position. */
export function argumentsOf(
  fields: readonly Field[],
  { args = [] }: CommandMetadata,
): { field: Field; label: string }[] {
  return args.flatMap((arg) => {
    const parameter = typeof arg === 'string' ? arg : arg.parameter;
    const field = fields.find(({ name }) => name === parameter);
    return field ? { field, label: typeof arg === 'string' ? labelOf(field) : arg.label } : [];
  });
}

/** `CHANNEL` rather than `STREAM_ID` for what may be given by name. */
function labelOf({ name, parser }: Field): string {
  const isNamed = parser === 'channel' || parser === 'user' || parser === 'group' || parser === 'emoji';
  return (isNamed ? parser : name).toUpperCase();
}

/** Arguments may be given as options too, so to commander none is required; to people they are. */
function usage(args: ReturnType<typeof argumentsOf>): string {
  const labels = args.map(({ field, label }) => {
    const shown = field.shape.kind === 'list' ? `${label}...` : label;
    return field.shape.isOptional ? `[${shown}]` : `<${shown}>`;
  });
  return [...labels, '[options]'].join(' ');
}

/** Declares the option and returns how its value is read back. */
function addOption(
  command: Command,
  field: Field,
  isArgument: boolean,
  { flags, files, stdin, draft }: CommandMetadata,
): (given: RawValues) => void {
  const keys: string[] = [];
  const add = (option: Option) => {
    command.addOption(option.helpGroup(GROUP));
    keys.push(option.attributeName());
  };
  if (field.shape.kind === 'boolean') {
    for (const flag of [field.flag, ...(flags?.[field.name] ? [flags[field.name] as string] : [])]) {
      add(
        new Option(flag, descriptionOf(field)).hideHelp(isArgument || (flag === field.flag && !!flags?.[field.name])),
      );
      command.addOption(new Option(flag.replace('--', '--no-')).hideHelp());
    }
  } else {
    const collect = (text: string, earlier: string[] | undefined) => [...(earlier ?? []), text];
    const alias = flags?.[field.name];
    add(
      new Option(`${field.flag} <${placeholder(field)}>`, descriptionOf(field))
        .argParser(collect)
        .hideHelp(isArgument || !!alias || draft === field.name),
    );
    if (alias) add(new Option(alias, descriptionOf(field, stdin?.parameter === field.name)).argParser(collect));
    const file = files?.[field.name];
    if (file) {
      const inFile = (path: string, earlier: string[] | undefined) =>
        collect(path === '-' ? path : `@${path}`, earlier);
      const [option, help] = file;
      add(new Option(option, `${help}; - for stdin`).argParser(inFile));
    }
  }
  return (given) => {
    for (const key of keys) {
      const value = command.opts()[key] as boolean | string[] | undefined;
      const before = given.get(field.name);
      const isMore = files?.[field.name] !== undefined && Array.isArray(before) && Array.isArray(value);
      if (value !== undefined) given.set(field.name, isMore ? [...before, ...value] : value);
    }
  };
}
