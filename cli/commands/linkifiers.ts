import { commands } from '../operations/metadata.ts';
import { oneLine } from '../output/sanitize.ts';

const linkifier = { parameter: 'filter_id', label: 'LINKIFIER' } as const;

export const linkifiers = commands('linkifiers', 'Text patterns that become links', {
  list: { columns: { linkifiers: ['id', 'pattern', 'url_template'] }, empty: 'There are no linkifiers.' },
  create: {
    args: ['pattern', 'url_template'],
    done: ({ parameters: { pattern }, answer: { id } }) => `Created the linkifier ${oneLine(pattern)} (ID ${id}).`,
    examples: ["linkifiers create '#(?P<id>[0-9]+)' 'https://issues.example.com/{id}'"],
  },
  edit: {
    args: [linkifier, 'pattern', 'url_template'],
    parsers: { filter_id: 'linkifier' },
    kept: {
      parameters: ['pattern', 'url_template'],
      async read({ session, parameters: { filter_id } }) {
        const { linkifiers } = await session.linkifiers.list();
        return linkifiers.find(({ id }) => id === filter_id) ?? { pattern: '', url_template: '' };
      },
    },
    done: ({ parameters: { filter_id, pattern, url_template } }) =>
      `Linkifier ${filter_id}: ${oneLine(pattern)} links to ${oneLine(url_template)}.`,
    examples: ["linkifiers edit '#(?P<id>[0-9]+)' --url-template 'https://tickets.example.com/{id}'"],
  },
  remove: {
    undo: 'linkifiers create',
    args: [linkifier],
    parsers: { filter_id: 'linkifier' },
    done: ({ parameters }) => `Removed the linkifier with ID ${parameters.filter_id}.`,
  },
  reorder: {
    args: [{ parameter: 'ordered_linkifier_ids', label: 'LINKIFIER' }],
    parsers: { ordered_linkifier_ids: 'linkifiers' },
    done: ({ parameters }) => `Linkifier order: ${parameters.ordered_linkifier_ids.join(', ')}.`,
  },
});
