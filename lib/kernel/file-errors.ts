import { BadRequest, ChatError } from './errors.ts';

/** Both cases have the same message. Only the status tells them apart. */
const FILE_UNAVAILABLE = 'There is no such file, or you may not read it.';

export class NoSuchFile extends BadRequest {
  constructor() {
    super(FILE_UNAVAILABLE, undefined, 404);
  }
}

export class FileForbidden extends BadRequest {
  constructor() {
    super(FILE_UNAVAILABLE, undefined, 403);
  }
}

export class RealmUploadQuota extends ChatError {
  constructor() {
    super(
      'This file would exceed the upload quota of the organization. Delete files first, or send a smaller one.',
      'REALM_UPLOAD_QUOTA',
    );
  }
}
