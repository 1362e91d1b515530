import CareModel
