import { audited } from './audited.ts';
import type { Perform } from './call.ts';
import { decoded } from './decoded.ts';
import { followedUp } from './followed-up.ts';
import { hooked } from './hooked.ts';
import { idempotent } from './idempotent.ts';
import { type Run, transacted } from './transacted.ts';

const run: Run = (context, { operation, parameters }) => operation.run(context as never, parameters);

/** The way of a dry run. It is not recorded, and nothing follows a refusal. */
export const preview: Perform = decoded(idempotent(hooked(transacted(run))));

/**
 * The way of a call. Each step does its part before and after the next one, and can end the call. What follows a refusal
 * is outside of `audited`: its changes are not those of the call.
 */
export const perform: Perform = followedUp(audited(preview));
