"""A few instance types as DescribeInstanceTypes tells them: whole GPUs, a part of one, and Neuron devices."""

from typing import Any


def _gpus(name: str, gpu: str, count: int, mib: int) -> dict[str, Any]:
    gpus = [{"Name": gpu, "Manufacturer": "NVIDIA", "Count": count, "MemoryInfo": {"SizeInMiB": mib}}]
    return {"InstanceType": name, "GpuInfo": {"Gpus": gpus, "TotalGpuMemoryInMiB": count * mib}}


INSTANCE_TYPES: tuple[dict[str, Any], ...] = (
    _gpus("g6e.48xlarge", "L40S", 8, 46_068),
    _gpus("p4d.24xlarge", "A100", 8, 40_960),
    _gpus("p5.4xlarge", "H100", 1, 81_920),
    _gpus("p5.48xlarge", "H100", 8, 81_920),
    _gpus("p5en.48xlarge", "H200", 8, 144_384),
    _gpus("p6-b200.48xlarge", "B200", 8, 183_359),
    {
        "InstanceType": "g6f.large",
        "GpuInfo": {"Gpus": [{"Name": "L4", "Count": 0, "LogicalGpuCount": 1, "GpuPartitionSize": 0.125}]},
    },
    {"InstanceType": "trn2.48xlarge", "NeuronInfo": {"NeuronDevices": [{"Name": "Trainium2", "Count": 16}]}},
    {"InstanceType": "c7i.large"},
)
