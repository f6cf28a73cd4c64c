import type { Command } from 'commander';
import type { DryRun, Session } from '../../lib/index.ts';
import type { UnderstoodRecipients } from '../arguments/combined.ts';
import type { Parser } from '../arguments/parsers.ts';
import type { Connection } from '../connection.ts';
import type { Column } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

/** A parameter that is an argument. The default label is its name. */
type Argument<N extends string = string> = N | { readonly parameter: N; readonly label: string };

/** One run of a command, passed to the functions that print its result. */
export interface Call<P = Readonly<Record<string, unknown>>> {
  session: Session;
  parameters: P;
  /** Options of the command line, by commander's attribute names. */
  options: Readonly<Record<string, unknown>>;
  terminal: Terminal;
  connection: Connection;
  isJson: boolean;
  isDryRun: boolean;
}

/** `more` may begin with a function that parses the value. */
export type Flags = readonly (readonly [flags: string, description: string, ...more: unknown[]])[];

/** Undefined: print the fields of the response. Empty: print `empty`, if set. */
type Sentence = string | undefined;

/** Names, options and output of one command that do not follow from its operation. */
export interface CommandMetadata<
  P = Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the widest command must accept the answer of every operation
  A = any,
  N extends string = NameOf<P>,
> {
  summary?: string;
  aliases?: readonly string[];
  /** Parameters that are arguments. A list in last place takes the rest. The default are the parameters in the path. */
  args?: readonly Argument<N>[];
  without?: readonly N[];
  /** Offers only the arguments, and requires them. */
  onlyArgs?: boolean;
  parsers?: { readonly [K in N]?: Parser };
  /** Further flags for a parameter. */
  flags?: { readonly [K in N]?: string };
  /** A flag that reads the parameter from a file, and its help text. `-` is stdin. */
  files?: { readonly [K in N]?: readonly [flag: string, help: string] };
  /** A text that is read from stdin when neither it nor a parameter in `unless` is given. */
  stdin?: {
    readonly parameter: N;
    readonly unless?: readonly N[];
    /** On a terminal, opens the current text of the message in an editor instead. */
    readonly editor?: boolean;
  };
  /** `--to` takes a channel or users and sets `type`. `ids`: the operation accepts IDs only. */
  recipients?: UnderstoodRecipients;
  /** The parameter that is a draft or a list of drafts. Options such as `--to` and `--message` set it. */
  draft?: N & ('draft' | 'drafts');
  /** Options such as `--channel` and `--search` set the narrow. */
  narrowOptions?: boolean;
  /** Options that are no parameters, for parsers and sentences. */
  options?: Flags;
  /** Parameters that keep their current value when omitted, although the operation requires all of them. */
  kept?: { readonly parameters: readonly N[]; read(call: Call<P>): Promise<Readonly<Partial<P>>> };
  defaults?: Readonly<Partial<P>>;
  /** Defaults that apply only without `--json`. */
  defaultsForPeople?: Readonly<Partial<P>>;
  /** Takes several users, also from stdin or a file. The operation runs once for each, and goes on after a refusal. */
  each?: N;
  /** The refusal of a change that is already made. It counts as success, so that scripts can run again. */
  repeat?: RegExp;
  /** Removes what is already done from the parameters. Returns a sentence if nothing is left to do. */
  alreadyDone?(call: Call<P>): Promise<Sentence>;
  /** The confirmation question, a sentence, for commands that cannot be undone. `--yes` skips it. */
  confirm?: string;
  /** What the call would do, shown before the question. */
  preview?(call: Call<P>): Promise<string>;
  /** The command that reverses this one. Every command that removes something has `confirm` or `undo`. */
  undo?: string;
  /** Options that filter the response in the client, also with `--json`. */
  filters?: {
    readonly options: Flags;
    choose(answer: A, given: Readonly<Record<string, unknown>>): A;
  };
  /** Replaces the single call and prints its own output. `--dry-run` still makes the single call by default. */
  perform?: {
    readonly isForDryRuns?: boolean;
    run(call: Call<P>): Promise<void>;
  };
  /** The table columns for the lists in the response. */
  columns?: { readonly [L in keyof A]?: readonly Column<NameOf<RowOf<A[L]>>>[] };
  /** A sentence, printed when the response has nothing to list. The default for a `list` names the options. */
  empty?: string | ((call: Call<P>) => string | undefined);
  /** Printed for a response, without `--json`: a sentence (see `sentence`), or the text. */
  done?: string | ((call: Call<P> & { answer: A }) => Sentence | Promise<Sentence>);
  /** Runs before the call and returns `done`. `dryRun` is the result of a dry run. */
  before?(call: Call<P>): Promise<(answer: A, dryRun?: DryRun) => Sentence | Promise<Sentence>>;
  /**
   * Runs before the call, and before a dry run. The text follows `done` if something was changed.
   * @param refused of several users
   */
  also?(call: Call<P>): Promise<(refused: readonly number[]) => Sentence>;
  examples?: readonly string[];
  /**
   * More commands of the group that run this operation, by their words after the group's. Example: `members add`,
   * where the operation both adds and removes members. They inherit arguments, parsers and sentences, and do not offer
   * the parameters for which they have defaults. With arguments of their own, they offer no other parameters.
   */
  variants?: Readonly<Record<string, Omit<CommandMetadata<P, A, N>, 'variants'>>>;
}

export function variantsOf({ args, parsers, done, empty, variants = {} }: CommandMetadata) {
  return Object.entries(variants).map(([words, variant]) => {
    const without = Object.keys(variant.defaults ?? {});
    const inherited = { args, parsers, done, empty, without, onlyArgs: variant.args !== undefined };
    return { path: words.split(' '), metadata: { ...inherited, ...variant } as CommandMetadata };
  });
}

export interface CommandGroup {
  /** As in the names of its operations: `messages` of `messages.send`. */
  readonly name: string;
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandMetadata>>;
  /** Commands of the group that are not operations. */
  readonly others: readonly ((terminal: Terminal) => Command)[];
}

/** Operations without an entry still have a command: it follows from the operation. */
export function commands<G extends GroupName>(
  name: G,
  title: string,
  metadata: { readonly [A in keyof Session[G]]?: MetadataOf<Session[G][A]> },
  ...others: CommandGroup['others']
): CommandGroup {
  // Each command is called with the parameters and the answer of its own operation.
  return { name, title, commands: metadata as CommandGroup['commands'], others };
}

export function commandsByThemselves(metadata: { readonly [N in keyof Session]?: MetadataOf<Session[N]> }) {
  return { name: '', title: '', commands: metadata as CommandGroup['commands'], others: [] };
}

type GroupName = {
  [G in keyof Session]: Session[G] extends (...args: never[]) => unknown ? never : G;
}[keyof Session];

type MetadataOf<M> = M extends (...args: infer P) => Promise<infer A> ? CommandMetadata<NonNullable<P[0]>, A> : never;

/** Distributes over unions: the keys of every member. */
type NameOf<T> = T extends unknown ? keyof T & string : never;

/** The row type of a list, or of a map by ID. */
type RowOf<L> = Extract<
  L extends readonly (infer R)[] ? R : L extends Readonly<Record<string, infer R>> ? R : never,
  object
>;
