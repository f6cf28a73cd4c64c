import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { accessLinkifier, checkedLinkifier, emitLinkifiers, linkifierParams } from './linkifier.ts';

export const editLinkifier = defineOperation({
  name: 'linkifiers.edit',
  http: 'PATCH /realm/filters/{filter_id}',
  summary: 'Change a linkifier',
  description: 'It keeps its position in the list. Existing messages do not change.',
  example: { filter_id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' },
  access: 'administrator',
  effect: 'write',
  params: { filter_id: id, ...linkifierParams },
  async run(context, { filter_id, ...given }) {
    const { tx, organization } = context;
    const present = accessLinkifier(organization, filter_id);
    const others = organization.linkifiers.filter((linkifier) => linkifier !== present);
    await tx.linkifiers.update({ id: filter_id, ...checkedLinkifier(given, others) });
    // Sent even if nothing changed.
    await emitLinkifiers(context);
  },
});
