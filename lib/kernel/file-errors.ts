import { BadRequest, ChatError } from './errors.ts';

/* Of uploaded files. */

/** What somebody may not read is told from what is not there by the status alone. */
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
    super('The organization has no room left for files of this size.', 'REALM_UPLOAD_QUOTA');
  }
}
