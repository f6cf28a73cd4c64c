import { apiReferenceIn, apiReferenceLinks, NARROW_DARK } from './api-reference.ts';

apiReferenceIn([NARROW_DARK]);
apiReferenceLinks();
