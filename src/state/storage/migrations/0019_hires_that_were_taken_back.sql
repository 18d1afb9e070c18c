-- Only an application that is hired now counts as a hire. After that stage, the furthest one is the offer.
UPDATE `recruiting_applications` SET `furthest` = min(`furthest`, 4), `hired_at` = NULL
  WHERE `stage` <> 'hired' AND (`furthest` > 4 OR `hired_at` IS NOT NULL);
