/**
 * The types of a session, printed from the declarations: methods, events, and the state that `register` returns. The
 * compiler of a program that uses the library reads these instead of inferring types from schemas.
 */
import type ts from 'typescript';
import type * as v from 'valibot';
import { catalogue, fileParameter, type Operation, registered } from '../../lib/internal.ts';
import { fieldDescription, schemaDescription } from './field-descriptions.ts';
import { type Named, type ReadTypes, readTypes } from './read-types.ts';
import { sessionMethods } from './session-methods.ts';
import { TypePrinter } from './type-printer.ts';

export const GENERATED_TYPES = 'lib/chat/generated.ts';

/** The text of that file. */
export function generatedTypes(): string {
  const types = readTypes();
  const draft = printerOf(types, types.named);
  textOf(draft, types);
  // A type that is used once is printed in place.
  const uses = draft.takeUsed();
  const shared = types.named.filter(({ plain }) => uses.indexOf(plain) !== uses.lastIndexOf(plain));
  const printer = printerOf(types, [...shared, ...types.named.filter(({ name }) => name === 'AnyEvent')]);
  const givenPrinter = printerOf(types, shared, true);
  const objects = shared.map(({ name, said, type, isGiven }) => {
    const head = said ? `/** ${said.replaceAll('\n', ' ')} */\n` : '';
    return `${head}export type ${name} =${spaced((isGiven ? givenPrinter : printer).printNamed(type))};\n`;
  });
  return `// Committed because editors show these comments on hover, which inferred types do not have. \`npm run documents\` writes it.
import type { BlobLike } from '../base/platform-types.ts';
import type { CallOptions, UploadOptions } from './call-options.ts';
import type { Answer, Register } from './methods.ts';

${textOf(printer, types)}
${objects.join('\n')}`;
}

function printerOf(types: ReadTypes, named: readonly Named[], isGiven = false): TypePrinter {
  const { checker } = types;
  const said = schemaDescriptions(types);
  const describe = (property: ts.Symbol) => {
    const text = said.get(property) ?? fieldDescription(checker, property);
    return text.startsWith('Old name of ') ? `@deprecated ${text}` : text;
  };
  return new TypePrinter(checker, { names: new Map(named.map(({ plain, name }) => [plain, name])), isGiven, describe });
}

/** Descriptions in the schemas of parameters, responses and events. Nested descriptions come from the declarations. */
function schemaDescriptions({ checker, members }: ReadTypes): Map<ts.Symbol, string> {
  const said = new Map<ts.Symbol, string>();
  const read = (type: ts.Type | undefined, entries: Readonly<Record<string, v.GenericSchema>> = {}) => {
    for (const property of type ? checker.getPropertiesOfType(type) : []) {
      const schema = Object.hasOwn(entries, property.name) ? entries[property.name] : undefined;
      const description = schema && schemaDescription(schema);
      if (description !== undefined) said.set(property, description);
    }
  };
  const [parameters, answers, events] = [members('Parameters'), members('Answers'), members('Events')];
  for (const { name, params, result } of catalogue as readonly Operation[]) {
    read(parameters.get(name), params);
    read(answers.get(name), (result as { entries?: Record<string, v.GenericSchema> }).entries);
  }
  for (const { eventName, fields } of registered.events) read(events.get(eventName), fields);
  return said;
}

/** All but the named types. */
function textOf(printer: TypePrinter, types: ReadTypes): string {
  return `/** Every operation, by group and action. Parameter and result names are the wire's own. */
export interface Operations {
${methods(printer, types)}
}

/** What happened, as clients receive it, by \`type\` or \`type/op\`. */
export interface Events {
${events(printer, types)}}

/** An event of a queue, with its id there. */
export type AnyEvent = Events[keyof Events] & {
  /** ID in the queue. Rises with every event. */
  id: number;
};

/** The state a client starts from, by fetch type. */
export interface States {
${states(printer, types)}}

${[...types.members('Registration')].map(([name, type]) => `export type ${name} =${spaced(printer.print(type))};\n`).join('\n')}`;
}

function methods(printer: TypePrinter, types: ReadTypes): string {
  const parameters = types.members('Parameters');
  const answers = types.members('Answers');
  const withoutParameters = types.members('WithoutParameters');
  return sessionMethods((operation, before) => {
    const { name } = operation;
    // The type of its response follows from its parameters.
    if (name === 'register') return 'Register<RegisterParameters, Registered, States>';
    const indent = before.slice(0, before.search(/\S/));
    const start = `(parameters${withoutParameters.has(name) ? '?' : ''}:`;
    const given = spaced(printer.print(parameters.get(name) as ts.Type, indent, before.length + start.length));
    const call = `${start}${given}, options?: ${fileParameter(operation)?.isStreamed ? 'UploadOptions' : 'CallOptions'}) => Promise<Answer<`;
    const lineStart = call.lastIndexOf('\n') + 1;
    const taken = lineStart === 0 ? before.length + call.length : call.length - lineStart;
    return `${call}${printer.print(answers.get(name) as ts.Type, indent, taken)}>>`;
  });
}

function events(printer: TypePrinter, types: ReadTypes): string {
  const inferred = types.members('Events');
  const members = registered.events.map(({ eventName, summary }) => {
    const type = printer.print(inferred.get(eventName) as ts.Type, '  ');
    return `  /** ${summary} */\n${member(eventName, type)}`;
  });
  return members.join('');
}

function states(printer: TypePrinter, types: ReadTypes): string {
  const inferred = types.members('States');
  const members = Object.keys(registered.initialState).map((name) =>
    member(name, printer.print(inferred.get(name) as ts.Type, '  ')),
  );
  return members.join('');
}

function member(name: string, type: string): string {
  return `  ${/^\w+$/.test(name) ? name : `'${name}'`}:${spaced(type)};\n`;
}

/** A type after a colon. A union of many lines starts on a new line. */
const spaced = (type: string) => (type.startsWith('\n') ? type : ` ${type}`);
