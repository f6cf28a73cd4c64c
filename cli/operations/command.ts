import { Command, Option } from 'commander';
import { hasDryRun, type Operation, routesOf } from '../../lib/internal.ts';
import { DRAFT_OPTIONS, NARROW_OPTIONS, ZONE_OPTION } from '../arguments/combined.ts';
import { type Field, FLAGS, OTHER_FLAGS, type Parser, parserFor, type RawValues } from '../arguments/parsers.ts';
import { shapeOf } from '../arguments/shape.ts';
import { UsageError } from '../failure.ts';
import { addGlobalOptions, FOR_PROGRAMS, GLOBAL_FLAGS } from '../global-options.ts';
import { descriptionOf, exampleLine, helpFooter, OtherFlag, placeholder, typedFlag } from '../help.ts';
import { letAsk } from '../input.ts';
import { kebab, wordsOf } from '../names.ts';
import { exampleFields } from '../output/json.ts';
import type { CommandMetadata, Flags } from './metadata.ts';

/** A command line of an operation. */
export interface TypedCommand {
  operation: Operation;
  /** With the flags or labels as typed. */
  fields: readonly Field[];
  metadata: CommandMetadata;
  given: RawValues;
  command: Command;
}

export type Run = (typed: TypedCommand) => Promise<void>;

const YES_OR_NO = /^(yes|true|on|no|false|off)$/;

/** A command that also accepts `--announce=false` for its boolean options, and refuses `--announce yes`. */
class OperationCommand extends Command {
  /** The parameters behind the options, and behind the arguments in their order. */
  fieldOf: ReadonlyMap<string, Field> = new Map();
  positional: readonly Field[] = [];

  override parseOptions(args: string[]) {
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const given = args.slice(0, end).map((arg, index) => {
      const [, long, value = args[index + 1] ?? '', isSpelled] = /^(--[a-z0-9-]+)(?:=(.*)())?$/s.exec(arg) ?? [];
      const option = this.options.find((each) => each.long === long && (each.isBoolean() || each.negate));
      if (!option || (isSpelled === undefined && !YES_OR_NO.test(value))) return arg;
      const name = option.long?.replace(/^--(no-)?/, '');
      const hasOpposite = this.options.some((each) => each.long === `--no-${name}`);
      if (isSpelled === undefined) {
        const advice = hasOpposite ? `Use --${name} for yes or --no-${name} for no.` : `Omit the value.`;
        throw new UsageError(`${long} takes no value "${value}". ${advice}`);
      }
      if (option.negate) return arg;
      if (!YES_OR_NO.test(value)) throw new UsageError(`${long} must be yes or no.`);
      return /^(yes|true|on)$/.test(value) ? `--${name}` : `--no-${name}`;
    });
    return super.parseOptions([...given, ...args.slice(end)]);
  }
}

export const isOperation = (command: Command): boolean => command instanceof OperationCommand;

/** The parameter behind an option, or behind the argument at a position. A list in last place takes the rest. */
export function fieldAt(command: Command, at: string | number): Field | undefined {
  if (!(command instanceof OperationCommand)) return undefined;
  if (typeof at === 'string') return command.fieldOf.get(at);
  const last = command.positional.at(-1);
  return command.positional[at] ?? (last?.shape.kind === 'list' ? last : undefined);
}

/** The command of one operation. Every parameter is an option; some are also arguments. */
export function operationCommand(operation: Operation, name: string, metadata: CommandMetadata, run: Run): Command {
  const fields = fieldsOf(operation, metadata);
  const args = argumentsOf(fields, metadata);
  const command = new OperationCommand(name).aliases(metadata.aliases ?? []).summary(operation.summary);
  // Only the summary, so that help fits one screen. The API documentation (/api/docs) has the description.
  command.description(`${operation.summary}.`).usage(usage(args)).optionsGroup('Parameters:');
  for (const { field, label } of args) {
    command.argument(field.shape.kind === 'list' ? `[${label}...]` : `[${label}]`, descriptionOf(field));
  }
  const positional = args.map(({ field }) => field);
  const offered = fields.map((field) => {
    return { field, options: addOption(command, field, metadata, { isArgument: positional.includes(field) }) };
  });
  addDeclaredOptions(command, { operation, fields, metadata });
  command.positional = positional;
  for (const { field, options } of offered) options.push(...addOtherFlags(command, field));
  command.fieldOf = new Map(offered.flatMap(({ field, options }) => options.map(({ long = '' }) => [long, field])));
  addGlobalOptions(command, exampleFields(operation.result, metadata.columns));
  command.addHelpText('after', () => {
    const examples = metadata.examples ?? [exampleLine(operation, fields, wordsOf(command), positional)];
    return helpFooter(command, operation, metadata, examples);
  });
  command.action(() => {
    const { given, flags } = readCommandLine(command, { args, offered, metadata });
    const typed = fields.map((field) => ({ ...field, flag: flags.get(field.name) ?? typedFlag(field) }));
    return run({ operation, fields: typed, metadata, given, command });
  });
  return command;
}

/** The options that are no parameters. */
function addDeclaredOptions(
  command: Command,
  { operation, fields, metadata }: Pick<TypedCommand, 'operation' | 'fields' | 'metadata'>,
): void {
  const add = (options: Flags = []) => {
    for (const [flags, text] of options) command.option(flags, text);
  };
  if (metadata.narrowOptions) add(NARROW_OPTIONS);
  if (metadata.draft) add(DRAFT_OPTIONS);
  if (fields.some(({ parser }) => parser === 'moment')) add([ZONE_OPTION]);
  add(metadata.options);
  if (fields.some(isPassword)) add([['--password-stdin', 'read the password from the first line of stdin']]);
  if (hasDryRun(operation)) add([['--dry-run', 'change nothing; show the response and the events']]);
  if (metadata.confirm) letAsk(command);
  else if (metadata.undo) command.addOption(new Option('-y, --yes').hideHelp());
  command.optionsGroup('Filters:');
  add(metadata.filters?.options);
}

interface Offered {
  args: ReturnType<typeof argumentsOf>;
  /** The options of each parameter. */
  offered: readonly { field: Field; options: readonly Option[] }[];
  metadata: CommandMetadata;
}

/** The values by parameter, and the option or argument that gave each. An option replaces an argument. */
function readCommandLine(command: Command, { args, offered, metadata }: Offered) {
  const given: RawValues = new Map();
  const flags = new Map<string, string>();
  for (const [index, { field, label }] of args.entries()) {
    const value = command.processedArgs[index] as string | string[] | undefined;
    if (value === undefined || (typeof value !== 'string' && value.length === 0)) continue;
    const texts = typeof value === 'string' ? [value] : value;
    given.set(field.name, isListOfNames(field) ? texts.map(wholeName) : texts);
    flags.set(field.name, label);
  }
  for (const { field, options } of offered) {
    for (const option of options) {
      const value = command.getOptionValue(option.attributeName()) as boolean | string[] | undefined;
      if (value === undefined) continue;
      const before = given.get(field.name);
      const isMore = metadata.files?.[field.name] !== undefined && Array.isArray(before) && Array.isArray(value);
      given.set(field.name, isMore ? [...before, ...value] : value);
      flags.set(field.name, option.long ?? field.flag);
    }
  }
  return { given, flags };
}

/** Names may contain commas, so an argument is always one name. */
const isListOfNames = ({ shape, parser }: Field) =>
  shape.kind === 'list' &&
  (parser === undefined
    ? shape.type === 'list of texts'
    : /^(new subscriptions|channel names|channels|groups)$/.test(parser));
const wholeName = (text: string) => (/^\s*(?:[[{]|$)/.test(text) ? text : JSON.stringify([text.trim()]));

/** These values are read from stdin or typed without echo. */
export const isPassword = ({ name }: Field) => name === 'password' || name === 'new_password';

export function fieldsOf(operation: Operation, metadata: CommandMetadata): Field[] {
  const entries = Object.entries(operation.params);
  const { without = [], onlyArgs = false, args = [] } = metadata;
  const ofArgs = args.map((arg) => (typeof arg === 'string' ? arg : arg.parameter));
  const offered = entries.filter(([name]) => !without.includes(name) && (!onlyArgs || ofArgs.includes(name)));
  const [{ path = '' } = {}] = routesOf(operation);
  return offered.map(([name, schema]) => {
    const long = kebab(name);
    const isEach = metadata.each === name;
    const bare =
      isEach || isTypedAsList(metadata.parsers?.[name])
        ? { ...shapeOf(schema), kind: 'list' as const }
        : shapeOf(schema);
    const shape = onlyArgs ? { ...bare, isOptional: false, fallback: undefined } : bare;
    const fallback = metadata.defaults?.[name];
    const isKept = metadata.kept?.parameters.includes(name) === true;
    const isImplied = fallback !== undefined || isKept || (metadata.recipients !== undefined && name === 'type');
    return {
      name,
      // A global option of the same name wins.
      flag: GLOBAL_FLAGS.has(long) ? `--the-${long}` : `--${long}`,
      schema,
      isInPath: new RegExp(`\\{${name}\\*?\\}`).test(path),
      shape: isImplied ? { ...shape, isOptional: true, fallback } : shape,
      alias: metadata.flags?.[name] ?? FLAGS[name],
      parser:
        metadata.recipients && name === 'to'
          ? 'recipients'
          : (metadata.parsers?.[name] ?? (isEach ? 'users' : parserFor(name, shape.type))),
    };
  });
}

/** The command line takes several values although the operation takes one. */
const isTypedAsList = (parser: Parser | undefined) =>
  parser === 'addresses' || parser === 'files' || parser === 'texts by key';

export function argumentsOf(
  fields: readonly Field[],
  { args = fields.flatMap(({ name, isInPath }) => (isInPath ? name : [])) }: CommandMetadata,
): { field: Field; label: string }[] {
  return args.flatMap((arg) => {
    const parameter = typeof arg === 'string' ? arg : arg.parameter;
    const field = fields.find(({ name }) => name === parameter);
    return field ? { field, label: typeof arg === 'string' ? labelOf(field) : arg.label } : [];
  });
}

const NAMED_PARSER = /(channel|user|bot|group|folder|field|linkifier|playground|snippet|invitation|link|emoji)s?$/;

/** `CHANNEL` instead of `STREAM_ID` for a parameter that accepts a name. */
const labelOf = ({ name, parser }: Field) => (NAMED_PARSER.exec(parser ?? '')?.[1] ?? name).toUpperCase();

/** Commander sees no required arguments, because options can replace them. The usage line shows them as required. */
function usage(args: ReturnType<typeof argumentsOf>): string {
  const labels = args.map(({ field, label }) => {
    const shown = field.shape.kind === 'list' ? `${label}...` : label;
    return field.shape.isOptional ? `[${shown}]` : `<${shown}>`;
  });
  return [...labels, '[options]'].join(' ');
}

/** The other names of an option that the command does not use for something else. */
function addOtherFlags(command: Command, field: Field): Option[] {
  const isFree = (long: string) =>
    !GLOBAL_FLAGS.has(long.slice(2)) && command.options.every((option) => option.long !== long);
  return (OTHER_FLAGS[field.name] ?? []).filter(isFree).map((long) => {
    const isSwitch = field.shape.kind === 'boolean';
    const option = new OtherFlag(isSwitch ? long : `${long} <${placeholder(field)}>`, `same as ${typedFlag(field)}`);
    if (!isSwitch) option.argParser((text: string, earlier: string[] = []) => [...earlier, text]);
    command.addOption(option.hideHelp().helpGroup('Other names:'));
    if (isSwitch) command.addOption(new Option(long.replace('--', '--no-')).hideHelp());
    return option;
  });
}

function addOption(
  command: Command,
  field: Field,
  { files, stdin, draft }: CommandMetadata,
  { isArgument }: { isArgument: boolean },
): Option[] {
  const options: Option[] = [];
  const { flag, alias } = field;
  const add = (option: Option) => {
    command.addOption(field.shape.isForPrograms ? option.helpGroup(FOR_PROGRAMS) : option);
    options.push(option);
  };
  if (field.shape.kind === 'boolean') {
    for (const long of alias ? [flag, alias] : [flag]) {
      add(new Option(long, descriptionOf(field)).hideHelp(isArgument || (!!alias && long === flag)));
      command.addOption(new Option(long.replace('--', '--no-')).hideHelp());
    }
  } else {
    const collect = (text: string, earlier: string[] = []) => [...earlier, text];
    add(
      new Option(`${flag} <${placeholder(field)}>`, descriptionOf(field))
        .argParser(collect)
        .hideHelp(isArgument || !!alias || draft === field.name),
    );
    const isText = stdin?.parameter === field.name;
    const source = stdin?.editor ? 'stdin, or $EDITOR on a terminal' : 'stdin';
    if (alias) add(new Option(alias, descriptionOf(field, isText ? source : undefined)).argParser(collect));
    const file = files?.[field.name];
    if (file) {
      const inFile = (path: string, earlier?: string[]) => collect(path === '-' ? path : `@${path}`, earlier);
      add(new Option(file[0], `${file[1]}; - for stdin`).argParser(inFile));
    }
  }
  return options;
}
