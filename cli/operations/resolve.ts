import { lookupsIn } from '../lookups.ts';
import type { TypedCommand } from './command.ts';
import type { Call } from './metadata.ts';
import type { Input } from './read-input.ts';

export type Parameters = Record<string, unknown>;

/** Makes the parameters: defaults, then the input, with IDs for names, then values that the command keeps. */
export async function resolve(
  { metadata }: TypedCommand,
  { resolvers }: Input,
  context: Omit<Call, 'parameters'>,
): Promise<Call<Parameters>> {
  const { defaults, defaultsForPeople, each, kept } = metadata;
  const parameters: Parameters = { ...defaults, ...(context.isJson ? {} : defaultsForPeople) };
  const call = { ...context, parameters };
  const lookups = lookupsIn(context.session);
  for (const [name, resolver] of resolvers) parameters[name] = await resolver(lookups);
  if (each !== undefined) {
    const ids = [...new Set(parameters[each] as number[])];
    parameters[each] = ids.length === 1 ? ids[0] : ids;
  }
  if (kept) {
    const present = await kept.read(call);
    for (const name of kept.parameters) parameters[name] ??= present[name];
  }
  return call;
}
