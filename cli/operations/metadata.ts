import type { Command } from 'commander';
import type { DryRun, Session } from '../../lib/index.ts';
import type { UnderstoodRecipients } from '../arguments/combined.ts';
import type { Parser } from '../arguments/parsers.ts';
import type { Column } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

/** A parameter given by position; the label follows from its name, unless it is given. */
export type Argument<N extends string = string> = N | { readonly parameter: N; readonly label: string };

/** One run of a command, as its sentences see it. */
export interface Call<P = Readonly<Record<string, unknown>>> {
  session: Session;
  /** As the operation is given them. */
  parameters: P;
  /** Options of the command line, by commander's names. */
  options: Readonly<Record<string, unknown>>;
  terminal: Terminal;
}

/** Undefined where a sentence can say no more than the fields of the answer do; empty where there is nothing to say. */
type Sentence = string | undefined;

/** What people type and read of one command, beyond what follows from its operation. */
export interface CommandMetadata<
  P = Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: the widest command must accept the answer of every operation
  A = any,
  N extends string = NameOf<P>,
> {
  /** Instead of the operation's own, where the command is a part of it. */
  summary?: string;
  /** Shorter names for the command, beside the one its operation gives it. */
  aliases?: readonly string[];
  /** Parameters given by position; the last one takes the rest when it is a list. */
  args?: readonly Argument<N>[];
  /** Parameters that the operation can do without, but not this command. */
  required?: readonly N[];
  /** Parameters that are for other commands of the same operation. */
  without?: readonly N[];
  /** The parameters of a command that does one thing of the many that its operation does; all others are for others. */
  only?: readonly N[];
  parsers?: { readonly [K in N]?: Parser };
  /** Further flags for a parameter. */
  flags?: { readonly [K in N]?: string };
  /** A flag that takes the file in which a parameter stands, and what such a file is; - is stdin. */
  files?: { readonly [K in N]?: readonly [flag: string, help: string] };
  /** A text read from stdin when it is not given, unless one of others is given instead. */
  stdin?: {
    readonly parameter: N;
    readonly unless?: readonly N[];
    /** On a terminal, the present text of the message is opened in an editor. */
    readonly editor?: boolean;
  };
  /** `--to` takes a channel or people, and `type` follows from what is given. `ids`: where only ids are understood. */
  recipients?: UnderstoodRecipients;
  /** The parameter that is a draft, or a list of them: options such as `--to` and `--message` make it. */
  draft?: N & ('draft' | 'drafts');
  /** A time that is typed as people write it, in the time zone of `--tz`. */
  moment?: N;
  /** Options such as `--channel` and `--search` make the narrow. */
  narrowOptions?: boolean;
  /** Parameters of which those left out stay as they are, though the operation wants all of them. */
  kept?: { readonly parameters: readonly N[]; read(call: Call<P>): Promise<Readonly<Partial<P>>> };
  /** Taken when the parameter is left out. */
  defaults?: Readonly<Partial<P>>;
  /** Defaults for people, which do not count with `--json`. */
  defaultsForPeople?: Readonly<Partial<P>>;
  /** Asked on a terminal before it is done; `--yes` answers. For what cannot be had back. */
  confirm?: string;
  /** The command that brings back what this one takes away. One of the two stands with every command that does. */
  undo?: string;
  /** Options of the command line alone, which choose from the answer; also with `--json`. */
  filters?: {
    readonly options: readonly (readonly [flags: string, description: string])[];
    choose(answer: A, given: Readonly<Record<string, unknown>>): A;
  };
  /** Does it with more calls than one, and tells of it by itself. A dry run is of one call all the same. */
  perform?: {
    readonly options: readonly (readonly [flags: string, description: string])[];
    run(
      call: Call<P> & { given: Readonly<Record<string, unknown>>; isJson: boolean; isDatabase: boolean },
    ): Promise<void>;
  };
  /** Which fields people want to see of the lists in the answer. */
  columns?: { readonly [L in keyof A]?: readonly Column<NameOf<RowOf<A[L]>>>[] };
  /** Said where the answer has nothing to list; where something was looked for, it is named. */
  empty?: string | ((call: Call<P>) => string | Promise<string>);
  /** What the answer says, for people. */
  done?(call: Call<P> & { answer: A }): Sentence | Promise<Sentence>;
  /** Reads what must be known before the call, and returns `done`, which is told whether it was only tried. */
  before?(call: Call<P>): Promise<(answer: A, tried?: DryRun) => Sentence | Promise<Sentence>>;
  examples?: readonly string[];
  /**
   * Further commands of the group that are this operation, by the words after the group's: `members add`
   * where the operation both adds and takes out.
   */
  variants?: Readonly<Record<string, Omit<CommandMetadata<P, A, N>, 'variants'>>>;
}

export interface CommandGroup {
  /** As in the names of its operations: `messages` of `messages.send`. */
  readonly name: string;
  readonly title: string;
  readonly commands: Readonly<Record<string, CommandMetadata>>;
  /** Commands of the group that are not operations. */
  readonly others: readonly ((terminal: Terminal) => Command)[];
}

/**
 * What people type and read of a group of commands. Commands that are not named here work all the same:
 * everything else about them follows from their operation.
 */
export function commands<G extends GroupName>(
  name: G,
  title: string,
  metadata: { readonly [A in keyof Session[G]]?: MetadataOf<Session[G][A]> },
  ...others: CommandGroup['others']
): CommandGroup {
  // Each command is called with the parameters and the answer of its own operation.
  return { name, title, commands: metadata as CommandGroup['commands'], others };
}

/** What people type and read of the commands that stand in no group. */
export function commandsByThemselves(
  metadata: {
    readonly [N in keyof Session]?: MetadataOf<Session[N]>;
  },
): CommandGroup {
  return { name: '', title: '', commands: metadata as CommandGroup['commands'], others: [] };
}

type GroupName = {
  [G in keyof Session]: Session[G] extends (...args: never[]) => unknown ? never : G;
}[keyof Session];

type MetadataOf<M> = M extends (...args: infer P) => Promise<infer A> ? CommandMetadata<NonNullable<P[0]>, A> : never;

/** Of every member, where parameters are a union. */
type NameOf<T> = T extends unknown ? keyof T & string : never;

/** The rows of a list, also of one that comes as a map by ID. */
type RowOf<L> = Extract<
  L extends readonly (infer R)[] ? R : L extends Readonly<Record<string, infer R>> ? R : never,
  object
>;
