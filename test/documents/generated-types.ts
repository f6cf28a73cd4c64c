/**
 * The types of a session, written out from the declarations: methods, events, and the state that `register`
 * answers. The compiler of whoever uses the library reads these, instead of inferring them from schemas.
 */
import type ts from 'typescript';
import { registered } from '../../lib/internal.ts';
import { type Named, type ReadTypes, readTypes } from './read-types.ts';
import { sessionMethods } from './session-methods.ts';
import { TypePrinter } from './type-printer.ts';

/** In `lib/kernel/methods.ts`, since they say more than their schemas do. */
const WRITTEN_BY_HAND = ['AnyEvent'];

const HEAD = '// Written by `npm run documents` from the declarations; a test compares.\n';

/** Path from the root, and text, of each generated file. */
export function generatedTypes(): Map<string, string> {
  const types = readTypes();
  const draft = files(printerWith(types, types.named), types);
  // What is used once is read where it is used.
  const uses = draft.flatMap(({ used }) => used);
  const shared = types.named.filter(({ name }) => uses.indexOf(name) !== uses.lastIndexOf(name));
  const known = types.named.filter(({ name }) => WRITTEN_BY_HAND.includes(name));
  const printer = printerWith(types, [...shared, ...known]);
  const objects = shared.map(({ name, said, type }) => {
    const head = said ? `/** ${said.replaceAll('\n', ' ')} */\n` : '';
    return `${head}export type ${name} =${spaced(printer.printNamed(type))};\n`;
  });
  return new Map([
    [pathOf('objects'), `${HEAD}\n${objects.join('\n')}`],
    ...files(printer, types).map(({ name, text, used }): [string, string] => {
      const names = [...new Set(used)].filter((one) => !WRITTEN_BY_HAND.includes(one)).sort();
      return [pathOf(name), `${HEAD}import type { ${names.join(', ')} } from './objects.ts';\n${text}`];
    }),
  ]);
}

const pathOf = (name: string) => `lib/kernel/generated/${name}.ts`;

const printerWith = ({ checker }: ReadTypes, named: readonly Named[]) =>
  new TypePrinter(checker, new Map(named.map(({ plain, name }) => [plain, name])));

interface File {
  name: string;
  text: string;
  /** The names that stand in it, each as often as it does. */
  used: string[];
}

/** All but that of the named types. */
function files(printer: TypePrinter, types: ReadTypes): File[] {
  printer.takeUsed();
  const file = (name: string, text: string): File => ({ name, text, used: printer.takeUsed() });
  return [
    file('events', events(printer, types)),
    file('registration', registration(printer, types)),
    file('operations', operations(printer, types)),
  ];
}

function events(printer: TypePrinter, types: ReadTypes): string {
  const inferred = types.members('Events');
  const members = registered.events.map(({ eventName, summary }) => {
    const type = printer.print(inferred.get(eventName) as ts.Type, '  ');
    return `  /** ${summary} */\n${member(eventName, type)}`;
  });
  return `
/** What happened, as clients receive it, by \`type\` or \`type/op\`. */
export interface Events {
${members.join('')}}
`;
}

function registration(printer: TypePrinter, types: ReadTypes): string {
  const aliases = [...types.members('Registration')].map(
    ([name, type]) => `export type ${name} =${spaced(printer.print(type))};\n`,
  );
  const states = types.members('States');
  const members = Object.keys(registered.initialState).map((name) =>
    member(name, printer.print(states.get(name) as ts.Type, '  ')),
  );
  return `
${aliases.join('\n')}
/** The state a client starts from, by fetch type. */
export interface States {
${members.join('')}}
`;
}

function operations(printer: TypePrinter, types: ReadTypes): string {
  const parameters = types.members('Parameters');
  const answers = types.members('Answers');
  const withoutParameters = types.members('WithoutParameters');
  const methods = sessionMethods(({ name }, before) => {
    const indent = before.slice(0, before.search(/\S/));
    // What it answers follows from what it is given.
    if (name === 'register') return 'Register';
    const mark = withoutParameters.has(name) ? '?' : '';
    const start = `(parameters${mark}:`;
    const given = spaced(printer.print(parameters.get(name) as ts.Type, indent, before.length + start.length));
    const call = `${start}${given}) => Promise<Answer<`;
    const taken = call.length - (call.lastIndexOf('\n') + 1) + (call.includes('\n') ? 0 : before.length);
    return `${call}${printer.print(answers.get(name) as ts.Type, indent, taken)}>>`;
  });
  return `import type { Answer, AnyEvent, Register } from '../methods.ts';

/** Every operation, by group and action. Parameter and result names are the wire's own. */
export interface Operations {
${methods}
}
`;
}

function member(name: string, type: string): string {
  return `  ${/^\w+$/.test(name) ? name : `'${name}'`}:${spaced(type)};\n`;
}

/** A type behind a colon; a union of many lines begins on one of its own. */
const spaced = (type: string) => (type.startsWith('\n') ? type : ` ${type}`);
