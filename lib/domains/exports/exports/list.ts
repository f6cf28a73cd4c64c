import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { dataExportList, dataExportViews } from './data-export.ts';

export const listExports = defineOperation({
  name: 'exports.list',
  http: 'GET /export/realm',
  summary: 'List exports of the organization (administrators)',
  description: 'Download a file with a login of an administrator.',
  access: 'administrator',
  scope: 'login',
  result: v.object({ exports: dataExportList }),
  async run(context) {
    return { exports: await dataExportViews(context) };
  },
});
