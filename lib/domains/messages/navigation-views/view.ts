import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { isBlank, spelledName } from '../../../rules/names.ts';
import type { NavigationView } from '../../../storage/interface/personal.ts';

const MAX_FRAGMENT_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;

/** Fragments of the views that every client has and names. */
const BUILT_IN: readonly string[] = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
];

export const navigationViewObject = v.object({
  fragment: v.string(),
  is_pinned: v.boolean(),
  name: describe(v.nullable(v.string()), 'Null for built-in views. Clients name them.'),
});

export const fragmentParam = describe(nonEmptyText(MAX_FRAGMENT_LENGTH), 'The part of the view URL after "#".');
export const nameParam = describe(
  nonEmptyText(MAX_NAME_LENGTH),
  'Name of a custom view, unique among your views. Built-in views have no name.',
);

/** Also used for views of other users, so that their existence stays hidden. */
export const noView = (fragment: string) => new DoesNotExist(`You have no navigation view "${fragment}".`);

/** The trimmed name; null for a built-in view. @param others views that must not have the same name */
export function checkedName(
  { fragment, name }: { fragment: string; name: string | undefined },
  others: readonly NavigationView[],
): string | null {
  const isBuiltIn = BUILT_IN.includes(fragment);
  if (isBuiltIn && name !== undefined) throw new BadRequest('A built-in view cannot have a name. Omit name.');
  if (isBuiltIn) return null;
  const trimmed = spelledName(name ?? '');
  if (isBlank(trimmed)) throw new BadRequest('A custom view needs a name.');
  if (others.some((other) => other.name === trimmed)) {
    throw new BadRequest(`You already have a navigation view named "${trimmed}".`);
  }
  return trimmed;
}

export const navigationViewAdded = defineEvent('navigation_view/add', {
  summary: 'You added a view to your sidebar.',
  fields: { navigation_view: navigationViewObject },
});

export const navigationViewUpdated = defineEvent('navigation_view/update', {
  summary: 'You renamed, pinned or unpinned a view. Contains the changed fields.',
  fields: {
    fragment: v.string(),
    data: v.object({ name: v.optional(v.string()), is_pinned: v.optional(v.boolean()) }),
  },
});

export const navigationViewRemoved = defineEvent('navigation_view/remove', {
  summary: 'You removed a view from your sidebar.',
  fields: { fragment: v.string() },
});
