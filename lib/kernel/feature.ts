import type { MessageConsequences, StatePart } from './context.ts';
import type { EventDeclaration } from './define-event.ts';
import type { DueWork } from './due-work.ts';
import type { Operation } from './operation.ts';
import type { OutboxKind } from './outbox.ts';

/** A feature, as its `index.ts` registers it. */
export interface Feature {
  readonly operations: readonly Operation[];
  readonly events?: readonly EventDeclaration[];
  /** Its part of the initial state, by fetch type of `register`. */
  readonly initialState?: Readonly<Record<string, StatePart>>;
  readonly dueWork?: readonly DueWork[];
  readonly outbox?: readonly OutboxKind[];
  readonly consequences?: MessageConsequences;
}

/** Registers a feature. Methods, routes, commands and API documentation follow from it. */
export function defineFeature<const F extends Feature>(feature: F): F {
  return feature;
}

/** Everything that features register besides operations. */
export interface Registered {
  readonly events: readonly EventDeclaration[];
  readonly initialState: Readonly<Record<string, StatePart>>;
  readonly dueWork: readonly DueWork[];
  readonly outboxKinds: readonly OutboxKind[];
  readonly consequences: readonly MessageConsequences[];
}
