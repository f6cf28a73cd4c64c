import type { Session } from '../../lib/index.ts';
import { fieldTypeName, optionsOf } from '../arguments/values.ts';
import { fieldNames, ifReadable, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine, tableOf } from '../output/text.ts';

export const profileFields = commands('profileFields', 'Custom profile fields', {
  list: {
    async done({ session, answer, terminal }) {
      const mine = await ownValues(session, answer.custom_fields);
      return tableOf(answer.custom_fields, terminal, {
        ID: 'id',
        NAME: ({ name }) => name,
        TYPE: typeOf,
        YOURS: mine,
        HINT: ({ hint }) => hint,
        'EDITABLE BY': ({ editable_by_user: isForAll }) => (isForAll ? 'everyone' : 'administrators'),
      });
    },
  },
  create: {
    args: ['name'],
    parsers: { field_type: 'field type', field_data: 'field data' },
    flags: { field_type: '--type <type>' },
    examples: [
      'profile-fields create "Favourite food" --type short-text --hint "Or drink"',
      'profile-fields create Diet --type list --field-data Vegan,Vegetarian,"No fish"',
    ],
    done: 'Created the profile field {field id} (ID {id}).',
  },
  edit: { done: 'Changed {field field_id}: {changes}.' },
  remove: {
    confirm: 'Remove {field field_id} and its values in all profiles?',
    done: 'Removed {field field_id} and its values in all profiles.',
  },
  reorder: {
    args: ['order'],
    parsers: { order: 'profile fields' },
    examples: ['profile-fields reorder "Favourite food" Diet'],
    done: 'Order of profile fields: {field order}.',
  },
  set: {
    args: [{ parameter: 'data', label: 'FIELD=VALUE' }],
    parsers: { data: 'profile data' },
    examples: ['profile-fields set "Favourite food=Soup" Diet=Vegan Mentors=ada@example.com,ben@example.com'],
    done: async ({ session, parameters }) => {
      const name = await fieldNames(session);
      return `Set ${parameters.data.map(({ id }) => name(id)).join(', ')} in your profile.`;
    },
  },
  unset: { args: ['data'], parsers: { data: 'profile fields' }, done: 'Cleared {field data} in your profile.' },
});

type Field = Awaited<ReturnType<Session['profileFields']['list']>>['custom_fields'][number];

function typeOf(field: Field): string {
  const name = fieldTypeName(field.type);
  if (name !== 'list') return name;
  const options = Object.values(optionsOf({ ...field })).map((option) => oneLine(option.text));
  return `${name}: ${options.join(', ')}`;
}

async function ownValues(session: Session, fields: readonly Field[]): Promise<(field: Field) => string> {
  const data = (await ifReadable(session.users.me()))?.profile_data ?? {};
  const valueIn = ({ id }: Field) => data[String(id)]?.value;
  const peopleIn = (field: Field) => {
    const value = valueIn(field);
    return value !== undefined && fieldTypeName(field.type) === 'people' ? (JSON.parse(value) as number[]) : [];
  };
  const nameOf = await userNames(session, fields.flatMap(peopleIn));
  return (field) => {
    const value = valueIn(field);
    if (value === undefined) return '';
    const people = peopleIn(field).map(nameOf);
    if (people.length > 0) return people.join(', ');
    return oneLine(fieldTypeName(field.type) === 'list' ? (optionsOf({ ...field })[value]?.text ?? value) : value);
  };
}
