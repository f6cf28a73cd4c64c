import type { Command } from 'commander';
import type { DryRun } from '../../lib/index.ts';
import { hasDryRun, type Operation, routesOf, shellWord } from '../../lib/internal.ts';
import { methodOf } from '../connection.ts';
import { ifReadable } from '../lookups.ts';
import { kebab } from '../names.ts';
import { consequencesText } from '../output/dry-run.ts';
import { type Columns, type Formatting, showJson, showResult } from '../output/result.ts';
import { NOTHING_CHANGED, sentence } from '../output/sentence.ts';
import { oneLine } from '../output/text.ts';
import type { Outcome } from './call.ts';
import type { TypedCommand } from './command.ts';
import type { Call } from './metadata.ts';
import type { Parameters } from './resolve.ts';

/** Prepares the output before the call. Afterwards, the user may no longer see the names in it. */
export async function presenterOf(typed: TypedCommand, call: Call<Parameters>, columns: Columns) {
  const { filters } = typed.metadata;
  const { terminal, isJson } = call;
  const formatter = isJson ? undefined : await formatterOf(typed, call);
  const formatting: Formatting = { formatter, columns, empty: () => emptyText(typed, call) };
  return async ({ answer, dryRun, repeated }: Outcome): Promise<void> => {
    if (dryRun) return isJson ? showJson(dryRun, terminal) : await showDryRun(dryRun, call, formatting);
    const result = filters?.choose(answer, call.options) ?? answer;
    if (isJson) showJson(result, terminal);
    else if (repeated !== undefined) terminal.out(repeated);
    else await showResult(result, formatting, terminal);
  };
}

async function formatterOf(
  { operation, metadata: { before, also, done = genericSentence(operation) } }: TypedCommand,
  call: Call<Parameters>,
): Promise<Formatting['formatter']> {
  if (before) return before(call);
  if (typeof done === 'function') return (answer) => done({ ...call, answer });
  if (done === undefined) return undefined;
  const isSame = done.includes('{changes}') && !call.isDryRun && (await hasNoEffect(operation, call));
  if (isSame) return async () => NOTHING_CHANGED;
  const more = await also?.(call);
  const fill = await sentence(done, call.session, call.parameters);
  return async (answer) => {
    const text = await fill(answer);
    return text === NOTHING_CHANGED ? text : [text, more?.([])].filter(Boolean).join(' ');
  };
}

const PAST: Readonly<Record<string, string>> = { edit: 'Changed', remove: 'Removed', delete: 'Deleted' };

/** `Removed playground {playground_id}.` for `playgrounds.remove`, or undefined for other kinds of operations. */
function genericSentence(operation: Operation): string | undefined {
  const [group = '', action = ''] = operation.name.split('.');
  const [, id] = /\{(\w+)\*?\}/.exec(routesOf(operation)[0]?.path ?? '') ?? [];
  const isEmpty = Object.keys((operation.result as { entries?: object }).entries ?? {}).length === 0;
  if (!Object.hasOwn(PAST, action) || id === undefined || !isEmpty) return undefined;
  const subject = `${kebab(group).replaceAll('-', ' ').replace(/s$/, '')} {${id}}`;
  return `${PAST[action]} ${subject}${action === 'edit' ? ': {changes}' : ''}.`;
}

/** Whether an edit sets only present values. False if this is unknown. */
async function hasNoEffect(operation: Operation, { session, parameters }: Call<Parameters>): Promise<boolean> {
  // Each try of a password counts. Dry runs leave out events of archived folders.
  if (!hasDryRun(operation) || Object.keys(parameters).some((name) => /password|archived/.test(name))) return false;
  const dryRun = (await ifReadable(methodOf(session.dryRun, operation)(parameters))) as DryRun | undefined;
  return dryRun?.events.length === 0 && dryRun.side_effects.length === 0;
}

/** Groups whose lists contain only what belongs to the account. */
const OWN_LISTS = /^(alertWords|drafts|navigationViews|reminders|savedSnippets|scheduledMessages|subscriptions)$/;

async function emptyText({ operation, metadata: { empty }, command }: TypedCommand, call: Call<Parameters>) {
  const template = typeof empty === 'function' ? empty(call) : empty;
  if (template !== undefined) return (await sentence(template, call.session, call.parameters))({});
  const [group = '', action] = operation.name.split('.');
  const begin = OWN_LISTS.test(group) ? 'You have' : 'There are';
  return action === 'list' ? `${begin} no ${kebab(group).replaceAll('-', ' ')}${filtersOf(command)}.` : '';
}

/** The options that a list depends on, as typed: ` with --role guest`. */
function filtersOf(command: Command): string {
  const typed = command.options.flatMap((option) => {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isFilter = /^(Parameters|Filters):$/.test(option.helpGroupHeading ?? '');
    if (!isFilter || command.getOptionValueSource(name) !== 'cli') return [];
    if (typeof value === 'boolean') return value === option.negate ? [] : [option.long];
    return [value].flat().map((text) => `${option.long} ${shellWord(oneLine(String(text)))}`);
  });
  return typed.length === 0 ? '' : ` with ${typed.join(' ')}`;
}

/** Shows the response and the effects of a dry run. */
async function showDryRun(dryRun: DryRun, { session, terminal }: Call, formatting: Formatting): Promise<void> {
  terminal.out('Dry run: nothing was changed. The command would print and send:');
  await showResult(dryRun.answer, formatting, terminal, dryRun);
  terminal.out(await consequencesText(session, dryRun, terminal));
}
