/** `npm run documents`: writes the generated parts of the guides, the types of a session and lists of files. */
import { writeFile } from 'node:fs/promises';
import { CHATCTL_SAMPLES_FILE, chatctlSamples } from './chatctl-samples.ts';
import { GENERATED_TYPES, generatedTypes } from './generated-types.ts';
import { markedDocuments } from './marked-sections.ts';
import { references } from './reference.ts';
import { registries } from './registries.ts';
import { STATE_SCHEMAS, stateSchemas } from './state-schemas.ts';

const texts = [
  ...[...references(), ...markedDocuments(), ...registries()],
  ...([
    [GENERATED_TYPES, generatedTypes()],
    [CHATCTL_SAMPLES_FILE, chatctlSamples()],
    [STATE_SCHEMAS, stateSchemas()],
  ] as const),
];
for (const [path, text] of texts) await writeFile(new URL(`../../${path}`, import.meta.url), text);
