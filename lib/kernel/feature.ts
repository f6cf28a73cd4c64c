import type { StatePart } from './context.ts';
import type { EventDeclaration } from './define-event.ts';
import type { DueWork } from './due-work.ts';
import type { Operation } from './operation.ts';
import type { OutboxKind } from './outbox.ts';

/** A feature as its `index.ts` registers it: what the catalogue takes from it. */
export interface Feature {
  readonly operations: readonly Operation[];
  readonly events?: readonly EventDeclaration[];
  /** Its part of the state a client starts from, by fetch type of `register`. */
  readonly initialState?: Readonly<Record<string, StatePart>>;
  readonly dueWork?: readonly DueWork[];
  readonly outbox?: readonly OutboxKind[];
}

/** Registers a feature: everything else (library, routes, commands, description) follows from it. */
export function defineFeature<const F extends Feature>(feature: F): F {
  return feature;
}

/** What features registered beside their operations. */
export interface Registered {
  readonly events: readonly EventDeclaration[];
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly dueWork: readonly DueWork[];
  readonly outboxKinds: readonly OutboxKind[];
}
