import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { renderMarkdown } from '../../../markdown/render.ts';
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH, unprintableAt } from '../../../rules/names.ts';
import { channelDescription } from '../channel-text.ts';
import { channelFolderAdded } from './events.ts';
import { channelFolderView } from './view.ts';

export const createChannelFolder = defineOperation({
  name: 'channelFolders.create',
  http: 'POST /channel_folders/create',
  summary: 'Create a folder for channels',
  description: 'What `folder_id` of a channel refers to. Administrators only.',
  example: { name: 'Teams' },
  access: 'administrator',
  effect: 'write',
  params: v.object({
    name: describe(text(MAX_FOLDER_NAME_LENGTH), 'Unique among folders in use, without regard to case.'),
    description: v.optional(describe(text(MAX_FOLDER_DESCRIPTION_LENGTH), 'Markdown, one line.'), ''),
  }),
  result: v.object({ channel_folder_id: v.number() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run({ tx, actor, organization, now, emit }, { name: given, description: text }) {
    const name = given.trim();
    if (name === '') throw new BadRequest('A folder name cannot be empty.');
    if (unprintableAt(name) !== undefined) throw new BadRequest('A folder name cannot contain control characters.');
    const folders = await tx.channels.folders();
    if (folders.some((folder) => !folder.is_archived && folder.name.toLowerCase() === name.toLowerCase())) {
      throw new BadRequest(`A folder named "${name}" already exists.`);
    }
    const description = channelDescription(text);
    const folder = {
      name,
      description,
      rendered_description: renderMarkdown(description, organization.linkifiers),
      creator_id: actor.id,
      created_ms: now,
      is_archived: false,
    };
    const id = await tx.channels.createFolder(folder);
    const created = (await tx.channels.folders()).find((folder) => folder.id === id);
    if (created) emit({ scope: 'everyone' }, channelFolderAdded({ channel_folder: channelFolderView(created) }));
    return { channel_folder_id: id };
  },
});
