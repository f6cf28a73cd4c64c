import { defineFeature } from '../../../operation/feature.ts';
import { createExport } from './create.ts';
import { dataExportsChanged } from './data-export.ts';
import { listExports } from './list.ts';
import { listExportConsents } from './list-consents.ts';
import { makeExport } from './make-export.ts';
import { removeExport } from './remove.ts';

/**
 * Exports that administrators make over the API. The outbox writes a ZIP file to the file store, with the code of
 * `exportChat`. Its address is like that of an uploaded file, but only administrators can read it.
 */
export const dataExports = defineFeature({
  operations: [createExport, listExports, removeExport, listExportConsents],
  events: [dataExportsChanged],
  outbox: [makeExport],
});
