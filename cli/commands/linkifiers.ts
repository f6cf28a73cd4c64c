import { commands } from '../operations/metadata.ts';

const linkifier = { parameter: 'filter_id', label: 'LINKIFIER_ID' } as const;

export const linkifiers = commands('linkifiers', 'Patterns that become links', {
  list: { columns: { linkifiers: ['id', 'pattern', 'url_template'] } },
  create: {
    args: ['pattern', 'url_template'],
    examples: ["linkifiers create '#(?P<id>[0-9]+)' 'https://issues.example.com/{id}'"],
  },
  edit: { args: [linkifier, 'pattern', 'url_template'] },
  remove: { args: [linkifier] },
  reorder: { args: [{ parameter: 'ordered_linkifier_ids', label: 'LINKIFIER_ID' }] },
});
