import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { linkifierObject } from './linkifier.ts';

export const listLinkifiers = defineOperation({
  name: 'linkifiers.list',
  http: ['GET /realm/linkifiers', 'GET /realm/filters'],
  summary: 'List linkifiers in the order in which they are applied',
  access: 'user',
  result: v.object({ linkifiers: v.array(linkifierObject) }),
  async run({ organization }) {
    return { linkifiers: [...organization.linkifiers] };
  },
});
