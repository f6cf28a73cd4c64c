import * as v from 'valibot';
import { NoSuchFile } from '../../../base/errors.ts';
import { describe, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { pathIdOf, TEMPORARY_SECONDS, uploadUrl } from '../../../rules/uploads.ts';
import { accessUpload, temporaryToken } from '../upload-access.ts';

export const getTemporaryUrl = defineOperation({
  name: 'uploads.getTemporaryUrl',
  http: 'GET /user_uploads/{realm_id_str}/{filename*}',
  summary: 'Get a temporary URL of a file that works without login for one minute',
  description:
    'For your own files and for files that a message you can read links to. It works no longer than the bearer token that requested it.',
  example: { realm_id_str: '1', filename: '4e/m2A3MSqFnWRLUf9SaPzQ0Up_/cat.png' },
  access: 'spectator',
  forRooms: true,
  params: {
    realm_id_str: describe(text(20), 'The first part of the URL path after `/user_uploads/`.'),
    filename: describe(text(1_000), 'The rest of the URL path.'),
  },
  result: v.object({ url: describe(v.string(), 'Path below the URL of the organization.') }),
  errors: [NoSuchFile],
  async run(context, { realm_id_str, filename }) {
    const upload = await accessUpload(context, context.actor, `${realm_id_str}/${filename}`);
    const pathId = pathIdOf(upload);
    const { now, loginEndsAt = Number.POSITIVE_INFINITY } = context;
    const expires = Math.floor(Math.min(now + TEMPORARY_SECONDS * 1000, loginEndsAt) / 1000);
    const token = temporaryToken(context.organization.secret, pathId, expires);
    return { url: uploadUrl(upload, context.organization.site_path, `/temporary/${token}`) };
  },
});
