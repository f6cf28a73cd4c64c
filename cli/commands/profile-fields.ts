import type { Session } from '../../lib/index.ts';
import { fieldTypeName, optionsOf } from '../arguments/values.ts';
import { ifReadable, userNames } from '../lookups.ts';
import { commands } from '../operations/metadata.ts';
import { oneLine, tableOf } from '../output/text.ts';

const field = { parameter: 'field_id', label: 'FIELD' } as const;

export const profileFields = commands('profileFields', 'Custom profile fields', {
  list: {
    async done({ session, answer, terminal }) {
      if (answer.custom_fields.length === 0) return 'There are no custom profile fields.';
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
    done: async ({ session, answer }) => {
      const name = (await fieldNames(session))(answer.id);
      return `Created the profile field ${name} (ID ${answer.id}).`;
    },
  },
  edit: {
    args: [field],
    parsers: { field_id: 'profile field' },
    examples: [
      'profile-fields edit "Favourite food" --hint "Or drink"',
      'profile-fields edit Diet --field-data \'{"0":{"text":"Vegan","order":"1"}}\'',
    ],
    done: async ({ session, parameters }) => `Changed ${(await fieldNames(session))(parameters.field_id)}.`,
  },
  remove: {
    args: [field],
    parsers: { field_id: 'profile field' },
    confirm: 'Remove this field and its values in all profiles?',
    async before({ session, parameters }) {
      const name = (await fieldNames(session))(parameters.field_id);
      return () => `Removed ${name} and its values in all profiles.`;
    },
  },
  reorder: {
    args: [{ parameter: 'order', label: 'FIELD' }],
    parsers: { order: 'profile fields' },
    examples: ['profile-fields reorder "Favourite food" Diet'],
    done: async ({ session, parameters }) => {
      const name = await fieldNames(session);
      return `Order of profile fields: ${parameters.order.map(name).join(', ')}.`;
    },
  },
  set: {
    args: [{ parameter: 'data', label: 'FIELD=VALUE' }],
    parsers: { data: 'profile data' },
    examples: [
      'profile-fields set "Favourite food=Soup" Diet=Vegan',
      'profile-fields set Mentors=ada@example.com,ben@example.com',
    ],
    done: async ({ session, parameters }) => {
      const name = await fieldNames(session);
      return `Set ${parameters.data.map(({ id }) => name(id)).join(', ')} in your profile.`;
    },
  },
  unset: {
    args: [{ parameter: 'data', label: 'FIELD' }],
    parsers: { data: 'profile fields' },
    done: async ({ session, parameters }) => {
      const name = await fieldNames(session);
      return `Cleared ${parameters.data.map(name).join(', ')} in your profile.`;
    },
  },
});

type Field = Awaited<ReturnType<Session['profileFields']['list']>>['custom_fields'][number];

async function fieldNames(session: Session): Promise<(id: number) => string> {
  const answer = await ifReadable(session.profileFields.list());
  const names = new Map(answer?.custom_fields.map(({ id, name }) => [id, `"${oneLine(name)}"`]));
  return (id) => names.get(id) ?? `field ${id}`;
}

function typeOf(one: Field): string {
  const name = fieldTypeName(one.type);
  if (name !== 'list') return name;
  const options = Object.values(optionsOf({ ...one })).map((option) => oneLine(option.text));
  return `${name}: ${options.join(', ')}`;
}

async function ownValues(session: Session, fields: readonly Field[]): Promise<(one: Field) => string> {
  const data = (await ifReadable(session.users.me()))?.profile_data ?? {};
  const valueIn = ({ id }: Field) => data[String(id)]?.value;
  const peopleIn = (one: Field) => {
    const value = valueIn(one);
    return value !== undefined && fieldTypeName(one.type) === 'people' ? (JSON.parse(value) as number[]) : [];
  };
  const nameOf = await userNames(session, fields.flatMap(peopleIn));
  return (one) => {
    const value = valueIn(one);
    if (value === undefined) return '';
    const people = peopleIn(one).map(nameOf);
    if (people.length > 0) return people.join(', ');
    return oneLine(fieldTypeName(one.type) === 'list' ? (optionsOf({ ...one })[value]?.text ?? value) : value);
  };
}
